package build

import (
	"strings"

	"github.com/cespare/xxhash/v2"
)

// cardMark separates the source of a page from a link in the key of a card, and a title from a description in the
// hashed text. None of these strings can contain it.
const cardMark = "\x00"

// describe returns the title and the description to show in a card, the preview of a linked page. page is the source of
// the page that contains the card. While the site is being loaded and for a broken link, which another check reports,
// both are empty. ok is false if the link doesn't point to a page.
func (b *builder) describe(page, link string) (title, description string, ok bool) {
	if b.index == nil {
		return "", "", true
	}
	title, description, ok = b.described(page, link)
	b.included.card(page, link, title, description)
	return title, description, ok
}

// described is like describe, but doesn't record the card. It must not be called while the site is being loaded.
func (b *builder) described(page, link string) (title, description string, ok bool) {
	from := b.index.SourcePage(page)
	if from == nil {
		return "", "", true
	}
	target, err := b.index.Resolve(from, link)
	switch {
	case err != nil:
		return "", "", true
	case target.Page == nil:
		return "", "", false
	}
	return target.Page.Title, target.Page.Description, true
}

// card records a hash of the title and the description that a card shows; see describe.
func (i *included) card(page, link, title, description string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.cards == nil {
		i.cards = make(map[string]uint64)
	}
	i.cards[page+cardMark+link] = hashCard(title, description)
}

func hashCard(title, description string) uint64 {
	return xxhash.Sum64String(title + cardMark + description)
}

// isDescribed reports whether the previous run's cards would show the same titles and descriptions in this run. cards
// maps the keys of the cards to the hashes of the titles and descriptions.
func (b *builder) isDescribed(cards map[string]uint64) bool {
	for key, hash := range cards {
		page, link, _ := strings.Cut(key, cardMark)
		if title, description, _ := b.described(page, link); hashCard(title, description) != hash {
			return false
		}
	}
	return true
}
