package render

import (
	"slices"
	"text/template/parse"
	"time"

	"vitrine/internal/facts"
	"vitrine/internal/markdown"
	"vitrine/internal/site"
)

// Dates are the dates that determine a page's last change.
type Dates struct {
	// Source returns the date of a page's source, or zero if it has none.
	Source func(*site.Page) time.Time
	// Facts is the date of the product's facts, or zero if unknown.
	Facts time.Time
	// Changes is the history of the facts.
	Changes facts.History
}

// shown are the parts that a template shows in addition to its page.
type shown struct {
	facts, children, posts bool
}

// showsFacts reports whether a page shows facts, in its text (doc) or through its layout.
func (r *Renderer) showsFacts(p *site.Page, doc *markdown.Document) bool {
	return p.ShowsFacts || r.layoutShows(p).facts || r.describesProduct(p) || len(doc.Facts()) > 0 ||
		slices.ContainsFunc(p.Sections, func(s site.Section) bool { return s.Kind == site.Plans })
}

func (r *Renderer) layoutShows(p *site.Page) shown {
	if l := r.layouts.html[p.Layout]; l != nil {
		return l.shown
	}
	return shown{}
}

// modified returns the date of a page's last change: the newest date of its source, of the facts if it shows
// them, and of the pages that it lists (wire contract §8.5). facts reports whether a page uses the facts.
func (r *Renderer) modified(p *site.Page, facts func(*site.Page) bool) time.Time {
	newest := r.ownModified(p, facts(p))
	layout := r.layoutShows(p)
	var listed []*site.Page
	if layout.children {
		listed = r.lists.Below(p)
	}
	if layout.posts && p.Local() == "/" {
		listed = append(slices.Clip(listed), r.newestPosts()...)
	}
	for _, entry := range listed {
		if entry.List != nil && entry != p {
			// A tag's page changes with its articles, and the list of tags changes too.
			newest = later(newest, r.modified(entry, facts))
			continue
		}
		newest = later(newest, r.ownModified(entry, facts(entry)))
	}
	return newest
}

// ownModified returns the newest date of a page's source, and of the facts if the page shows them.
func (r *Renderer) ownModified(p *site.Page, facts bool) time.Time {
	if facts {
		return later(r.dates.Source(p), r.dates.Facts)
	}
	return r.dates.Source(p)
}

// collected reports whether a page that was passed to Collect or Restore shows the facts.
func (r *Renderer) collected(p *site.Page) bool { return r.factual[p] }

// updated returns the date of the last change that a page shows. It is zero if its front matter gives no date and
// the page hasn't changed since its day of publication.
func (r *Renderer) updated(p *site.Page, facts bool) time.Time {
	if r.lists.Node(p) != nil {
		// Readers of documentation always want to know how old it is.
		return r.ownModified(p, facts)
	}
	newest := r.shownModified(p, facts)
	if !p.Updated.IsZero() || !p.Date.IsZero() && newest.After(p.Date) {
		return newest
	}
	return time.Time{}
}

// shownModified is like modified, during rendering. facts reports that the page shows the facts.
func (r *Renderer) shownModified(p *site.Page, facts bool) time.Time {
	return r.modified(p, func(other *site.Page) bool {
		return other == p && facts || other.ShowsFacts || r.layoutShows(other).facts || r.describesProduct(other)
	})
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// shownBy finds the parts that a template and its partials show.
func shownBy(tree *parse.Tree, lookup func(string) *parse.Tree) shown {
	var s shown
	seen := make(map[string]bool)
	var walk func(n parse.Node)
	list := func(l *parse.ListNode) {
		if l != nil {
			for _, n := range l.Nodes {
				walk(n)
			}
		}
	}
	branch := func(b *parse.BranchNode) {
		walk(b.Pipe)
		list(b.List)
		list(b.ElseList)
	}
	walk = func(n parse.Node) {
		switch n := n.(type) {
		case *parse.ListNode:
			list(n)
		case *parse.ActionNode:
			walk(n.Pipe)
		case *parse.IfNode:
			branch(&n.BranchNode)
		case *parse.RangeNode:
			branch(&n.BranchNode)
		case *parse.WithNode:
			branch(&n.BranchNode)
		case *parse.TemplateNode:
			if n.Pipe != nil {
				walk(n.Pipe)
			}
			if lookup != nil && !seen[n.Name] {
				seen[n.Name] = true
				if called := lookup(n.Name); called != nil {
					list(called.Root)
				}
			}
		case *parse.PipeNode:
			for _, c := range n.Cmds {
				for _, a := range c.Args {
					walk(a)
				}
			}
		case *parse.FieldNode:
			s.note(n.Ident)
		case *parse.VariableNode:
			s.note(n.Ident)
		case *parse.ChainNode:
			walk(n.Node)
			s.note(n.Field)
		case *parse.IdentifierNode:
			s.facts = s.facts || n.Ident == "fact"
		}
	}
	if tree != nil {
		list(tree.Root)
	}
	return s
}

func (s *shown) note(fields []string) {
	s.facts = s.facts || slices.Contains(fields, "Product") || slices.Contains(fields, "Changes")
	s.children = s.children || slices.Contains(fields, "Children")
	s.posts = s.posts || slices.Contains(fields, "Posts")
}
