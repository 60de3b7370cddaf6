package render

import (
	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/render/media"
	"vitrine/internal/site"
)

// listFeed returns the URL path of p's feed if p is the page of a tag or an author with articles. Otherwise, it returns
// "".
func (r *Renderer) listFeed(p *site.Page) site.Ref {
	path, _ := plan.ListFeed(p)
	return site.RefTo(path)
}

// listFeeds renders the Atom feeds of tags and authors. Their entries have summaries but no full text, because an
// article's text would be repeated for each of its tags. Only the blog's feeds contain the full text.
func (r *Renderer) listFeeds() ([]artifact.Resource, error) {
	var feeds []artifact.Resource
	for _, p := range r.site.Pages {
		path, articles := plan.ListFeed(p)
		if path == "" {
			continue
		}
		f := r.newAtom(r.site.Config.Title+": "+p.Title, p.Description, path, p.Path)
		entries := make([]feedEntry, len(articles))
		for i, article := range articles {
			entries[i] = r.entry(article)
			entry := r.atomEntry(entries[i])
			entry.Content = nil
			f.Entries = append(f.Entries, entry)
		}
		f.Updated = atomTime(newestUpdate(entries))
		body, err := writeAtom(&f)
		if err != nil {
			return nil, err
		}
		feeds = append(feeds, r.textFile(path, media.Atom, body))
	}
	return feeds, nil
}
