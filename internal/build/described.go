package build

import (
	"strings"

	"github.com/cespare/xxhash/v2"
)

// cardMark begins the names of cards among the included files. No file has it in its name.
const cardMark = "\x00"

// describe returns the title and the description of the page that a card links to. While the site is loaded, and for a broken link,
// which is reported elsewhere, both are empty.
func (b *builder) describe(page, link string) (title, description string, ok bool) {
	if b.index == nil {
		return "", "", true
	}
	title, description, ok = b.described(page, link)
	b.included.card(page, link, title, description)
	return title, description, ok
}

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

// card records what a card of a page shows.
func (i *included) card(page, link, title, description string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.hashes == nil {
		i.hashes = make(map[string]uint64)
	}
	i.hashes[cardMark+page+cardMark+link] = hashCard(title, description)
}

func hashCard(title, description string) uint64 {
	return xxhash.Sum64String(title + cardMark + description)
}

// isDescribed reports whether all cards of the last run would show the same in this one.
func (b *builder) isDescribed(cards map[string]uint64) bool {
	for name, hash := range cards {
		page, link, ok := strings.Cut(strings.TrimPrefix(name, cardMark), cardMark)
		if !ok || !strings.HasPrefix(name, cardMark) {
			continue
		}
		if title, description, _ := b.described(page, link); hashCard(title, description) != hash {
			return false
		}
	}
	return true
}
