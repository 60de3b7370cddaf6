package render

import (
	"bytes"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

const (
	// The feeds stand at the root, where readers look for them, so that their
	// addresses outlast a move of the blog.
	atomPath     = "/feed.xml"
	jsonFeedPath = "/feed.json"
	typeAtom     = "application/atom+xml; charset=utf-8"
	typeJSONFeed = "application/feed+json; charset=utf-8"
	// feedEntries is how many articles a feed has, the newest first.
	feedEntries = 50
)

// feed is one of the forms in which the blog can be followed.
type feed struct {
	path, title, mediaType string
}

// feeds are those that the site has: none without articles.
func (r *Renderer) feeds() []feed {
	if len(r.lists.posts) == 0 {
		return nil
	}
	return []feed{
		{atomPath, r.feedTitle() + " (Atom)", typeAtom},
		{jsonFeedPath, r.feedTitle() + " (JSON Feed)", typeJSONFeed},
	}
}

// feedTitle is the site's title, and the blog's where that is another.
func (r *Renderer) feedTitle() string {
	blog := r.lists.pages[blogPath]
	if blog == nil || blog.Title == r.site.Config.Title {
		return r.site.Config.Title
	}
	return r.site.Config.Title + ": " + blog.Title
}

// inFeed reports whether a page is among the articles of the feeds.
func (r *Renderer) inFeed(p *site.Page) bool {
	place, ok := r.lists.place[p.Path]
	return ok && place < feedEntries
}

// feedEntry is an article as feeds have it.
type feedEntry struct {
	page *site.Page
	// url is the article's address and its id: it changes only where an editor
	// changes it.
	url, summary, image string
	published, updated  time.Time
	// html is the article's text, with absolute links.
	html string
}

// entries are the articles of the feeds, the newest first.
func (r *Renderer) entries() []feedEntry {
	var entries []feedEntry
	for _, p := range r.lists.posts[:min(feedEntries, len(r.lists.posts))] {
		e := feedEntry{
			page: p, url: r.url(p.Path), summary: oneLine(p.Description), image: r.image(p),
			published: p.Date, updated: r.modified(p), html: r.contents[p.Path],
		}
		if e.updated.IsZero() {
			e.updated = e.published
		}
		entries = append(entries, e)
	}
	return entries
}

// newestUpdate is when a feed was changed last: when one of its entries was.
func newestUpdate(entries []feedEntry) time.Time {
	var newest time.Time
	for _, e := range entries {
		if e.updated.After(newest) {
			newest = e.updated
		}
	}
	return newest
}

// feedFiles renders the feeds.
func (r *Renderer) feedFiles() ([]artifact.Resource, error) {
	if len(r.feeds()) == 0 {
		return nil, nil
	}
	entries := r.entries()
	atom, err := r.atom(entries)
	if err != nil {
		return nil, err
	}
	json, err := r.jsonFeed(entries)
	if err != nil {
		return nil, err
	}
	return []artifact.Resource{
		r.textFile(atomPath, typeAtom, atom),
		r.textFile(jsonFeedPath, typeJSONFeed, json),
	}, nil
}

// absoluteLinks makes the references of a page's HTML absolute, so that they
// lead to the same places from a feed reader. The Markdown package writes
// attributes in this form alone, and never such a text outside of a tag: it
// writes quotation marks in texts as character references.
func absoluteLinks(html []byte, baseURL, pageURL string) []byte {
	var out bytes.Buffer
	out.Grow(len(html) + len(html)/8)
	for {
		i, attribute := nextReference(html)
		if i < 0 {
			out.Write(html)
			return out.Bytes()
		}
		at := i + len(attribute)
		out.Write(html[:at])
		html = html[at:]
		if bytes.Equal(attribute, sourceSet) {
			html = absoluteSet(&out, html, baseURL)
			continue
		}
		switch {
		case bytes.HasPrefix(html, []byte("//")):
		case bytes.HasPrefix(html, []byte("/")):
			out.WriteString(baseURL)
		case bytes.HasPrefix(html, []byte("#")):
			out.WriteString(pageURL)
		}
	}
}

// absoluteSet writes the list of an image's copies, which are all of the site,
// and returns what follows it. No address in it has a space.
func absoluteSet(out *bytes.Buffer, html []byte, baseURL string) (rest []byte) {
	list, rest, _ := bytes.Cut(html, []byte(`"`))
	out.WriteString(baseURL)
	out.Write(bytes.ReplaceAll(list, []byte(", /"), []byte(", "+baseURL+"/")))
	out.WriteByte('"')
	return rest
}

var (
	sourceSet  = []byte(` srcset="`)
	references = [][]byte{[]byte(` href="`), []byte(` src="`), sourceSet}
)

// nextReference finds the first attribute whose value is a reference.
func nextReference(html []byte) (at int, attribute []byte) {
	at = -1
	for _, r := range references {
		if i := bytes.Index(html, r); i >= 0 && (at < 0 || i < at) {
			at, attribute = i, r
			html = html[:i+len(r)]
		}
	}
	return at, attribute
}
