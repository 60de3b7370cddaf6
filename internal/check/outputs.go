package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// outputs finds the links of what was made that nothing on the site answers. What editors write is looked at
// before, with its place; what is left is a template's mistake, or one of the program's.
type outputs struct {
	base string
	// known are paths that are not looked at: those that the facts name, where another program may answer on the
	// same host, and those of the navigation, which are reported with their place.
	known map[string]bool
	// made are the paths of files of the whole site that the index does not have.
	made map[string]bool
	// dead are the links that nothing answers, in the order in which they were found, each once.
	dead  []deadLink
	found map[string]bool
}

// notFoundPath is that of the page that is the body of a 404.
const notFoundPath = "/404"

// deadLink is a link of an output that nothing answers.
type deadLink struct {
	// source is the page's, else the output itself.
	source, output, link string
}

func newOutputs(s *site.Site) outputs {
	o := outputs{base: s.Config.BaseURL, known: make(map[string]bool), made: make(map[string]bool), found: make(map[string]bool)}
	o.each(s.Product.JSON, nil, func(ref []byte, _ int) {
		if path, ok := o.path(ref); ok {
			o.known[path] = true
		}
	})
	for _, item := range s.Config.Navigation {
		if path, ok := o.path([]byte(item.Path)); ok {
			o.known[path] = true
		}
	}
	return o
}

// path is the path on the site that a reference leads to, decoded; ok is false where it leads elsewhere. A broken
// escape leaves the path as it is, where nothing answers.
func (o *outputs) path(ref []byte) (path string, ok bool) {
	rest, absolute := bytes.CutPrefix(ref, []byte(o.base))
	if end := bytes.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	switch {
	case len(rest) == 0:
		return "/", absolute && o.base != ""
	case rest[0] != '/', len(rest) > 1 && rest[1] == '/':
		return "", false
	}
	path = string(rest)
	if bytes.IndexByte(rest, '%') >= 0 {
		if decoded, err := url.PathUnescape(path); err == nil {
			path = decoded
		}
	}
	return path, true
}

// answers reports whether something on the site answers at a path, with a redirect at least, and returns the page
// whose path it is.
func (c *Checker) answers(path string) (p *site.Page, ok bool) {
	if p, ok = c.index.Answers(path); ok {
		// The page of what is not there stands at no address of its own.
		return p, path != notFoundPath && path != notFoundPath+".md"
	}
	if c.outputs.known[path] || c.outputs.made[path] || c.Made != nil && c.Made(path) {
		return nil, true
	}
	if len(path) > 1 {
		_, ok = c.index.Answers(strings.TrimSuffix(path, "/"))
	}
	return nil, ok
}

// isDead reports whether a reference leads to a path on the site where nothing answers.
func (c *Checker) isDead(ref []byte) bool {
	path, ok := c.outputs.path(ref)
	if ok {
		_, ok = c.answers(path)
		return !ok
	}
	return false
}

// note keeps a dead link, unless it was found before: one mistake in a layout is on every page.
func (o *outputs) note(d deadLink) {
	if !o.found[d.link] {
		o.found[d.link] = true
		o.dead = append(o.dead, d)
	}
}

// Outputs looks at files of the whole site. What they are made of is answered, other files of the same group too.
func (c *Checker) Outputs(resources []artifact.Resource) {
	for i := range resources {
		c.outputs.made[resources[i].Path] = true
	}
	for i := range resources {
		r := &resources[i]
		if r.Kind != artifact.KindFile || len(r.Variants) != 1 {
			continue
		}
		c.output(r.Path, r.Variants[0])
	}
}

func (c *Checker) output(path string, v artifact.Variant) {
	o := &c.outputs
	note := func(ref []byte) {
		if c.isDead(ref) {
			o.note(deadLink{path, path, string(ref)})
		}
	}
	kind := ""
	for _, f := range v.Fields {
		if f.Name == "Content-Type" {
			kind, _, _ = strings.Cut(f.Value, ";")
		}
	}
	switch {
	case kind == "application/schema+json":
		// Its examples are of no site.
	case kind == "text/markdown", kind == "text/plain":
		c.markdown(v.Body, func(ref []byte, at int) {
			if c.isDead(ref) && !inCode(v.Body, at) {
				note(ref)
			}
		})
	case strings.HasSuffix(kind, "json"), strings.HasSuffix(kind, "xml"):
		o.each(v.Body, beginsValue, func(ref []byte, _ int) { note(ref) })
	}
}

// DeadLinks are the links of the outputs that nothing answers.
func (c *Checker) DeadLinks() []site.Problem {
	problems := make([]site.Problem, len(c.outputs.dead))
	for i, d := range c.outputs.dead {
		problems[i] = site.Problem{Path: d.source, Severity: site.Error, Code: rule.DeadLink, Text: fmt.Sprintf(
			"%s links to %q, where nothing is; the link is not from the page's text, so correct the template that writes it", d.output, d.link)}
	}
	return problems
}

// each calls one for every address below the site's base in a text, where begins says of what stands before it that
// it is a link; nil for all. Escapes of JSON and XML are resolved.
func (o *outputs) each(text []byte, begins func(before []byte) bool, one func(ref []byte, at int)) {
	base := []byte(o.base)
	for at := 0; len(base) > 0; {
		i := bytes.Index(text[at:], base)
		if i < 0 {
			return
		}
		i += at
		at = i + len(base)
		if begins != nil && !begins(text[:i]) {
			continue
		}
		end := len(text)
		if n := bytes.IndexAny(text[at:], "\"<> \t\n)"); n >= 0 {
			end = at + n
		}
		if ref, ok := o.plain(text[i:end]); ok {
			one(ref, i)
		}
	}
}

// plain is an address without the escapes of JSON and XML; ok is false where it is one of a host whose name begins
// like the site's.
func (o *outputs) plain(ref []byte) (plain []byte, ok bool) {
	if quote := bytes.Index(ref, []byte("&#34;")); quote >= 0 {
		ref = ref[:quote]
	}
	if bytes.IndexByte(ref, '\\') >= 0 {
		var text string
		ref = bytes.TrimSuffix(ref, []byte(`\`))
		if json.Unmarshal([]byte(`"`+string(ref)+`"`), &text) == nil {
			ref = []byte(text)
		}
	}
	for bytes.IndexByte(ref, '&') >= 0 {
		unescaped := html.UnescapeString(string(ref))
		if unescaped == string(ref) {
			break
		}
		ref = []byte(unescaped)
	}
	rest := ref[min(len(o.base), len(ref)):]
	return ref, len(rest) == 0 || strings.IndexByte("/?#", rest[0]) >= 0
}

// beginsValue reports whether a value, or an attribute in a value, begins behind a text of JSON or XML.
func beginsValue(before []byte) bool {
	for _, mark := range [...]string{`=\"`, `=&#34;`, `="`} {
		if bytes.HasSuffix(before, []byte(mark)) {
			return true
		}
	}
	return bytes.HasSuffix(before, []byte(`"`)) && !bytes.HasSuffix(before, []byte(`\"`)) || bytes.HasSuffix(before, []byte(">"))
}

// markdown calls one for what looks like a link in a Markdown text, or in a text that is set like one, with its
// place. Whether it is in code is left to be found out where that matters.
func (c *Checker) markdown(text []byte, one func(ref []byte, at int)) {
	o := &c.outputs
	mark := []byte("](")
	for at := 0; ; {
		i := bytes.Index(text[at:], mark)
		if i < 0 {
			break
		}
		at += i + len(mark)
		ref := bytes.TrimPrefix(text[at:], []byte("<"))
		end := bytes.IndexAny(ref, ")> \n")
		if end < 0 {
			break
		}
		if ref, ok := o.plain(ref[:end]); ok || len(ref) > 0 && ref[0] == '/' {
			one(ref, at)
		}
	}
	o.each(text, func(before []byte) bool {
		return bytes.HasSuffix(before, []byte("<")) || bytes.HasSuffix(before, []byte(": ")) || bytes.HasSuffix(before, []byte("- "))
	}, one)
}

// inCode reports whether a place of a Markdown text is in a block of code, or between backticks.
func inCode(text []byte, at int) bool {
	fence, paragraph := "", 0
	for begin := 0; begin < at; {
		end := len(text)
		if n := bytes.IndexByte(text[begin:], '\n'); n >= 0 {
			end = begin + n + 1
		}
		line := strings.TrimLeft(string(text[begin:end]), " >\t-*0123456789.)")
		switch {
		case fence != "":
			if strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]+" \n") == "" {
				fence = ""
			}
			paragraph = end
		case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
			fence = line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
		case strings.TrimSpace(line) == "":
			paragraph = end
		}
		begin = end
	}
	return fence != "" || paragraph < at && bytes.Count(text[paragraph:at], []byte("`"))%2 == 1
}

// Rendered looks at a page's two representations: at the links that nothing answers, the places that links to the
// page can lead to, and the pages that it links to, whether its text or its layout does.
func (c *Checker) Rendered(f *Findings, page, markdown []byte) {
	f.set = true
	c.html(f, page)
	c.markdown(markdown, func(ref []byte, at int) {
		path, ok := c.outputs.path(ref)
		if !ok {
			return
		}
		p, ok := c.answers(path)
		switch {
		case ok:
			f.leadsTo(p, path, true)
		case !inCode(markdown, at):
			f.note("the Markdown of "+f.path, ref)
		}
	})
	if site.HasErrors(f.Problems) {
		// A link that is wrong in the page's text is reported with its place.
		f.dead = nil
	}
}

func (f *Findings) note(output string, ref []byte) {
	if !slices.ContainsFunc(f.dead, func(d deadLink) bool { return d.link == string(ref) }) {
		f.dead = append(f.dead, deadLink{f.source, output, string(ref)})
	}
}

// html looks at the attributes of a page's HTML. Texts have no quotation marks: they are written as character
// references.
func (c *Checker) html(f *Findings, page []byte) {
	for from := 0; ; {
		// Of the characters of an attribute, the equals sign is the rarest in prose.
		i := bytes.IndexByte(page[from:], '=')
		if i < 0 {
			break
		}
		name := page[:from+i]
		from += i + 1
		if len(name) == 0 || from == len(page) || page[from] != '"' {
			continue
		}
		length := bytes.IndexByte(page[from+1:], '"')
		if length < 0 {
			break
		}
		value := page[from+1 : from+1+length]
		switch name[len(name)-1] {
		case 'd':
			if bytes.HasSuffix(name, []byte(" id")) {
				f.anchors = append(f.anchors, string(value))
			}
		case 'f':
			if bytes.HasSuffix(name, []byte(" href")) {
				c.reference(f, value, bytes.HasPrefix(name[bytes.LastIndexByte(name, '<')+1:], []byte("a ")))
			}
		case 'c', 'n', 'x':
			if bytes.HasSuffix(name, []byte(" src")) || bytes.HasSuffix(name, []byte(" action")) || bytes.HasSuffix(name, []byte(" data-index")) {
				c.reference(f, value, false)
			}
		case 't':
			switch {
			case bytes.HasSuffix(name, []byte(" srcset")):
				for candidate := range bytes.SplitSeq(value, []byte(", ")) {
					address, _, _ := bytes.Cut(candidate, []byte(" "))
					c.reference(f, address, false)
				}
			case bytes.HasSuffix(name, []byte(" content")) && bytes.HasPrefix(value, []byte(c.outputs.base)):
				c.reference(f, value, false)
			}
		default:
			continue
		}
		from += 1 + length
	}
	if i := bytes.Index(page, []byte(`"application/ld+json"`)); i >= 0 {
		data, _, _ := bytes.Cut(page[i:], []byte("</script>"))
		c.outputs.each(data, beginsValue, func(ref []byte, _ int) { c.reference(f, ref, false) })
	}
}

// reference looks at a reference in a page's HTML; anchor says that it is that of an element a.
func (c *Checker) reference(f *Findings, ref []byte, anchor bool) {
	if bytes.IndexByte(ref, '&') >= 0 {
		ref = []byte(html.UnescapeString(string(ref)))
	}
	path, ok := c.outputs.path(ref)
	if !ok {
		return
	}
	p, ok := c.answers(path)
	if !ok {
		f.note("the HTML of "+f.path, ref)
		return
	}
	f.leadsTo(p, path, anchor && ref[0] == '/')
}

// leadsTo notes the page, nil for none, or the path that a page leads to; link says that people are to follow it.
func (f *Findings) leadsTo(p *site.Page, path string, link bool) {
	switch {
	case p == nil:
		// A page's images are its own, and those of the theme are there as long as the theme is.
		if !strings.HasPrefix(path, "/assets/") && !slices.Contains(f.others, path) {
			f.others = append(f.others, path)
		}
	case link && !f.search && p.Path != f.path && !slices.Contains(f.linked, p):
		// The page of the search lists all pages, which says nothing of one.
		f.linked = append(f.linked, p)
	}
}
