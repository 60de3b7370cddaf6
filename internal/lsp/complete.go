package lsp

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"vitrine/internal/folder"
	"vitrine/internal/load"
	"vitrine/internal/load/shape"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// mostItems is the maximum number of items in a completion list. The user can shorten the list by typing more.
const mostItems = 200

// Kinds of completion items in LSP.
const (
	itemProperty  = 10
	itemValue     = 12
	itemFile      = 17
	itemReference = 18
	itemConstant  = 21
	itemClass     = 7
)

// offer collects completions that replace the text between the byte offsets start and end. typed is the part of that
// text before the cursor. more reports whether items omits completions because there are more than mostItems.
type offer struct {
	d          *document
	start, end int
	typed      string
	items      []completionItem
	more       bool
}

// add offers text if text contains the typed text, regardless of case. For a link, add also offers text if the target's
// title contains the typed text. write is the text to insert, or "" to insert text itself.
func (o *offer) add(kind int, text, write, detail, about string) {
	typed, lower := strings.ToLower(o.typed), strings.ToLower(text)
	rank, filter := "1", ""
	switch {
	case strings.HasPrefix(lower, typed):
		rank = "0"
	case strings.Contains(lower, typed):
	case kind == itemReference && strings.Contains(strings.ToLower(detail), typed):
		// Prevent the editor from filtering out an item that matches by its title.
		filter = o.typed + " " + text
	default:
		return
	}
	if len(o.items) == mostItems {
		o.more = true
		return
	}
	o.items = append(o.items, completionItem{
		Label: text, Kind: kind, Detail: detail, Documentation: about, SortText: rank + text, FilterText: filter,
		TextEdit: textEdit{o.d.span(o.start, o.end), cmp.Or(write, text)},
	})
}

// begins contains a pattern for each kind of completion. The patterns match the text before the cursor on the cursor's
// line. The last group of each pattern captures the typed text.
type begins struct {
	link, definition, attribute, component, inline, attributes *regexp.Regexp
}

func newBegins() begins {
	return begins{
		link:       regexp.MustCompile(`(!?)\[[^\]]*\]\(<?([^()\s<>]*)$`),
		definition: regexp.MustCompile(`^ {0,3}\[[^\]]+\]:\s*<?([^\s<>]*)$`),
		attribute:  regexp.MustCompile(`[\s{](href|src|link|poster|captions)="([^"]*)$`),
		component:  regexp.MustCompile(`^\s*:{2,}([a-zA-Z0-9_-]*)$`),
		inline:     regexp.MustCompile(`(?:^|[\s(])((?::)([a-z]+))$`),
		attributes: regexp.MustCompile(`:([a-zA-Z0-9_-]+)(?:\[[^\]]*\])?\{(?:[^}]*\s)?([a-z]*)$`),
	}
}

// complete returns the completions at the position in params.
func (d *document) complete(params documentParams) (*completionList, error) {
	offset := d.offset(params.Position)
	o := &offer{d: d, start: offset, end: offset}
	line := d.starts[d.position(offset).Line]
	before := string(d.source[line:offset])
	y, inYAML := d.yamlAt(offset)
	b := newBegins()
	typing := func(typed string) { o.typed, o.start = typed, offset-len(typed) }
	switch at := strings.LastIndex(before, "{{"); {
	case at >= 0 && !strings.Contains(before[at:], "}}") && d.name != productFile && d.name != configFile && !load.IsOverlay(d.name):
		typing(strings.TrimLeft(before[at+2:], " "))
		d.offerFacts(o, strings.HasPrefix(string(d.source[offset:]), "}") || strings.HasPrefix(string(d.source[offset:]), " }"))
	case inYAML:
		d.offerYAML(o, y)
	default:
		if m := b.link.FindStringSubmatch(before); m != nil {
			typing(m[2])
			d.offerLinks(o, m[1] != "")
		} else if m := b.definition.FindStringSubmatch(before); m != nil {
			typing(m[1])
			d.offerLinks(o, false)
		} else if m := b.attribute.FindStringSubmatch(before); m != nil {
			typing(m[2])
			d.offerLinks(o, m[1] == "src" || m[1] == "poster")
		} else if m := b.component.FindStringSubmatch(before); m != nil {
			typing(m[1])
			d.offerComponents(o, false)
		} else if m := b.inline.FindStringSubmatch(before); m != nil {
			typing(m[2])
			d.offerComponents(o, true)
		} else if m := b.attributes.FindStringSubmatch(before); m != nil && d.project.live != nil && d.project.live.Index() != nil {
			typing(m[2])
			for _, c := range d.project.live.Parser(d.name).Components() {
				for _, name := range c.Attributes() {
					if c.Name == m[1] {
						o.add(itemProperty, name, name+`=""`, "", "")
					}
				}
			}
		}
	}
	slices.SortStableFunc(o.items, func(a, b completionItem) int { return strings.Compare(a.SortText, b.SortText) })
	return &completionList{o.more, append([]completionItem{}, o.items...)}, nil
}

func (d *document) offerFacts(o *offer, closed bool) {
	if d.project.live == nil || d.project.live.Facts(d.name) == nil {
		return
	}
	values := d.project.live.Facts(d.name)
	for _, expression := range values.Expressions() {
		write := expression
		if !closed {
			write += " }}"
		}
		detail := ""
		if value, err := values.Expand(expression); err == nil {
			detail = value.Text
		}
		o.add(itemConstant, expression, write, detail, "")
	}
}

func (d *document) offerComponents(o *offer, inText bool) {
	if d.project.live == nil || d.project.live.Index() == nil {
		return
	}
	for _, c := range d.project.live.Parser(d.name).Components() {
		if block, text := c.Placement(); inText && text || !inText && block {
			o.add(itemClass, c.Name, "", c.About, c.Example())
		}
	}
}

// offerYAML offers keys and values at a position in a YAML file under content/ or in YAML front matter.
func (d *document) offerYAML(o *offer, y *yamlPlace) {
	o.typed, o.start, o.end = y.typed, y.start, y.end
	if !y.in && len(y.path) > 0 && y.path[len(y.path)-1] != "" || !y.in && len(y.path) == 0 || !y.in && d.isMap(y.path) {
		d.offerKeys(o, y)
		return
	}
	o.end = max(o.end, o.start)
	s := d.shapeOf(y.keys())
	if s == nil {
		return
	}
	keys := slices.DeleteFunc(y.keys(), func(key string) bool { return key == "" })
	top, last := keys[0], keys[len(keys)-1]
	switch {
	case top == "tags":
		d.offerUsed(o, func(p *site.Page) []string { return p.Tags })
	case top == "author":
		d.offerAuthors(o)
	case top == "series":
		d.offerUsed(o, func(p *site.Page) []string { return []string{p.Series} })
	case last == "layout":
		d.offerUsed(o, func(p *site.Page) []string { return []string{p.Layout} })
	case s.Use == shape.Image:
		d.offerLinks(o, true)
	case last == "path" && d.name == configFile || last == "in" && d.name == questionsFile || last == "translationOf":
		d.offerLinks(o, false)
	case s.Use == shape.Moment:
		o.add(itemValue, time.Now().Format(time.DateOnly), "", "today", "")
	case top == "diagnostics":
		for _, level := range []string{"off", "warning", "error"} {
			o.add(itemValue, level, "", "", "")
		}
	case s.Has(shape.Truth):
		o.add(itemValue, "true", "", "", "")
		o.add(itemValue, "false", "", "", "")
	}
	for _, example := range s.Examples {
		if !slices.ContainsFunc(o.items, func(i completionItem) bool { return i.Label == example }) {
			o.add(itemValue, example, "", "", "")
		}
	}
}

// offerAuthors offers the keys in authors.yaml, and the authors on pages who aren't in authors.yaml.
func (d *document) offerAuthors(o *offer) {
	if d.project.live == nil || d.project.live.Site() == nil {
		return
	}
	s := d.project.live.Site()
	for _, a := range s.Authors {
		o.add(itemValue, a.Key, "", a.Name, a.Bio)
	}
	d.offerUsed(o, func(p *site.Page) (names []string) {
		for _, a := range p.Authors {
			if s.Author(a.Target) == nil {
				names = append(names, a.Target)
			}
		}
		return names
	})
}

// isMap reports whether the value at path is usually a map.
func (d *document) isMap(path []string) bool {
	s := d.shapeOf(path)
	return s != nil && s.Usual() == shape.Map
}

func (d *document) offerKeys(o *offer, y *yamlPlace) {
	s := d.shapeOf(y.path)
	if s == nil {
		return
	}
	colon := ": "
	if y.key != "" {
		colon = ""
	}
	if slices.Equal(y.path, []string{"diagnostics"}) {
		for _, r := range rule.All() {
			o.add(itemProperty, string(r.Code), string(r.Code)+colon, r.Title, "")
		}
		return
	}
	for _, f := range s.Fields {
		o.add(itemProperty, f.Name, f.Name+colon, kindOf(&f.Shape), f.About)
	}
}

// kindOf returns a readable name for the usual kind of a key's value, such as "whole number".
func kindOf(s *shape.Shape) string {
	if s.Use == shape.Moment {
		return "date"
	}
	return map[shape.Kind]string{
		shape.Truth: "true or false", shape.Whole: "whole number", shape.Number: "number", shape.Text: "text", shape.List: "list", shape.Map: "map",
	}[s.Usual()]
}

// offerUsed offers the values that the function of returns for the site's pages. The detail of each value is the number
// of pages with that value.
func (d *document) offerUsed(o *offer, of func(*site.Page) []string) {
	if d.project.live == nil || d.project.live.Site() == nil {
		return
	}
	count := make(map[string]int)
	for _, p := range d.project.live.Site().Pages {
		for _, value := range of(p) {
			if value != "" && p.Text == nil {
				count[value]++
			}
		}
	}
	for _, value := range slices.Sorted(maps.Keys(count)) {
		o.add(itemValue, value, "", plural(count[value], "page"), "")
	}
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// offerLinks offers pages and files or, if images is set, only images. After "#", it offers the anchors on the linked
// page.
func (d *document) offerLinks(o *offer, images bool) {
	live := d.project.live
	if live == nil || live.Index() == nil {
		return
	}
	from, own := live.Page(d.name)
	if from == nil {
		from = &site.Page{Path: "/", Source: d.name}
	}
	if to, fragment, anchored := strings.Cut(o.typed, "#"); anchored {
		outline := own
		if to != "" {
			target, err := live.Index().Resolve(from, to)
			if err != nil || target.Page == nil {
				return
			}
			_, outline = live.Page(target.Page.Source)
		}
		o.start, o.typed = o.start+len(to)+1, fragment
		for _, h := range outline.Headings {
			o.add(itemReference, h.ID, "", h.Text, "")
		}
		return
	}
	// Replace the rest of the link after the cursor, except an anchor.
	rest := string(d.source[o.end:])
	if end := strings.IndexAny(rest, " \t\r\n()<>\"#,}]"); end >= 0 {
		rest = rest[:end]
	}
	o.end += len(rest)
	rooted := strings.HasPrefix(o.typed, "/") || d.name == configFile || d.name == questionsFile
	add := func(kind int, source, at, title string) {
		if rooted || o.typed == "" && !images {
			o.add(kind, at, string(site.RefTo(at)), title, "")
		}
		if rel := relative(path.Dir(d.name), source); !rooted && rel != "" {
			o.add(kind, rel, escaped(rel), title, "")
		}
	}
	for _, f := range live.Site().Files {
		if isImage(f.Source) || !images {
			add(itemFile, f.Source, f.Path, "")
		}
		if o.more {
			return
		}
	}
	for _, p := range live.Site().Pages {
		if images || o.more {
			return
		}
		if p.Text == nil {
			add(itemReference, p.Source, p.Path, p.Title)
		} else if rooted {
			o.add(itemReference, p.Path, string(site.RefTo(p.Path)), p.Title, "")
		}
	}
}

func isImage(name string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg"}, strings.ToLower(path.Ext(name)))
}

// relative returns a source's path relative to dir, a page's folder. It returns "" for a static file, because pages
// link to static files with paths from the root.
func relative(dir, source string) string {
	if strings.HasPrefix(source, folder.Static+"/") {
		return ""
	}
	rel, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(source))
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

// escaped escapes a relative path for use in a link.
func escaped(rel string) string {
	if site.IsPlain(rel) {
		return rel
	}
	return (&url.URL{Path: rel}).EscapedPath()
}
