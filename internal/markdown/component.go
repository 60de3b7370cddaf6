package markdown

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/load/suggest"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Component is a component as its templates see it: in HTML for the page, in
// Markdown for the twin.
type Component struct {
	// Name is what the directive calls it.
	Name string
	// ID is unique on the page, for ids that the HTML needs.
	ID string
	// Label is what stands between "[" and "]", Text the same without markup;
	// Content is what the component holds.
	Label, Content string
	Text           string
	// Attributes are those that are written, by name: texts, and a site.Ref for
	// those that lead somewhere. One without a value has its name for that.
	Attributes map[string]any
	// Children are the components that stand directly in this one.
	Children []*Component
	// Outside says that "src" is on another host, Inline that the component stands
	// in a text.
	Outside, Inline bool
}

// Components are the templates of components.
type Components interface {
	// Names are the components that there are, sorted.
	Names() []string
	// Own reports whether a component is the site's, beside those built in.
	Own(name string) bool
	// HTML writes a component to the page.
	HTML(w *bytes.Buffer, c *Component) error
	// HasMarkdown reports whether a component has a template for the twin, by which
	// Markdown writes it. Without one the twin has the directive.
	HasMarkdown(name string) bool
	Markdown(w *bytes.Buffer, c *Component) error
}

// With is the parser of a site that has components; their names are known then.
func (p *Parser) With(components Components) *Parser {
	with := *p
	with.components = components
	return &with
}

// Components are the components that the page uses, sorted, each once.
func (d *Document) Components() []string {
	return slices.Sorted(maps.Keys(d.components))
}

// form is how a component may stand in a page.
type form uint8

const (
	around form = 1 << iota // ":::name" to ":::"
	alone                   // "::name" on a line
	inline                  // ":name" in a text
)

// spec is what is known of a component.
type spec struct {
	forms      form
	attributes []string
	// label says that it cannot be without one.
	label bool
	// own says that it is the site's: any attribute may be.
	own bool
}

// builtIns are the components that every site has, beside the alerts.
func builtIns() []ComponentHelp {
	return []ComponentHelp{
		{"details", "A part that opens and closes; its label is what one sees of it.", spec{forms: around, attributes: []string{"open"}}},
		{"tabs", "Parts of which one is shown at a time; each is a tab.", spec{forms: around, attributes: []string{"group"}}},
		{"tab", "A part of tabs, with its label.", spec{forms: around, label: true}},
		{"steps", "A numbered list, set as steps to follow.", spec{forms: around}},
		{"cards", "Cards beside one another.", spec{forms: around}},
		{"card", "A card with its title as the label, which may link.", spec{forms: around | alone, attributes: []string{"link"}, label: true}},
		{"figure", "An image or code with a caption.", spec{forms: around}},
		{"video", "A video of the site.", spec{forms: alone, attributes: []string{"src", "poster", "width", "height", "captions"}}},
		{"youtube", "A picture that links to a video at YouTube; nothing is asked for there before a click.", spec{forms: alone, attributes: []string{"url", "poster"}, label: true}},
		{"vimeo", "A picture that links to a video at Vimeo; nothing is asked for there before a click.", spec{forms: alone, attributes: []string{"url", "poster"}, label: true}},
		{"badge", "A word or two in a coloured field.", spec{forms: inline, attributes: []string{"type"}, label: true}},
		{"kbd", "Keys to press.", spec{forms: inline, label: true}},
	}
}

// ComponentHelp is what there is to say of a component.
type ComponentHelp struct {
	Name, About string
	spec
}

// Stands reports whether the component stands around a text or alone, and whether it stands in a text.
func (c ComponentHelp) Stands() (block, inText bool) {
	return c.forms&(around|alone) != 0, c.forms&inline != 0
}

// Attributes are those that the component may have.
func (c ComponentHelp) Attributes() []string { return c.attributes }

// Example is how the component is written.
func (c ComponentHelp) Example() string {
	label := ""
	if c.label {
		label = "[Label]"
	}
	switch {
	case c.forms&around != 0:
		return ":::" + c.Name + label + "\nText.\n:::"
	case c.forms&alone != 0:
		return "::" + c.Name + label + "{" + c.attributes[0] + `="…"}`
	}
	return ":" + c.Name + label
}

// Components are those that the pages of a site can use.
func (p *Parser) Components() []ComponentHelp {
	all := builtIns()
	for _, name := range alertNames() {
		all = append(all, ComponentHelp{name, "An alert: a text that stands out.", spec{forms: around}})
	}
	if p.components != nil {
		for _, name := range p.components.Names() {
			all = append(all, ComponentHelp{name, "A component of this site: templates/components/" + name + ".html.", spec{forms: around | alone | inline, own: true, attributes: []string{"key"}}})
		}
	}
	return all
}

// builtIn is a component that every site has.
func builtIn(name string) (spec, bool) {
	for _, c := range builtIns() {
		if c.Name == name {
			return c.spec, true
		}
	}
	if _, ok := alertNamed(name); ok {
		return spec{forms: around}, true
	}
	return spec{}, false
}

func alertNames() []string { return []string{"note", "tip", "important", "warning", "caution"} }

// builtInNames are those of builtIn, for suggestions.
func builtInNames() []string {
	names := alertNames()
	for _, c := range builtIns() {
		names = append(names, c.Name)
	}
	return names
}

// component returns what is known of a component.
func (p *Parser) component(name string) (spec, bool) {
	if p.components != nil && p.components.Own(name) {
		return spec{forms: around | alone | inline, own: true}, true
	}
	return builtIn(name)
}

// nearest is the component whose name is nearest to a word.
func (p *Parser) nearest(word string) string {
	known := builtInNames()
	if p.components != nil {
		known = append(known, p.components.Names()...)
	}
	return suggest.Nearest(word, known)
}

// alertNamed is the kind of alert that a component stands for. Docusaurus calls
// a note "info" too and a caution "danger"; "hint" is GitBook's word for a tip.
func alertNamed(name string) (alertKind, bool) {
	switch name {
	case "info":
		name = "note"
	case "hint":
		name = "tip"
	case "danger":
		name = "caution"
	}
	if name != strings.ToLower(name) {
		return alertKind{}, false
	}
	kind, _, ok := findAlert([]byte("[!" + name + "]"))
	return kind, ok
}

// unknownComponent reports a component that is not there.
func (n *normaliser) unknownComponent(sign, name string, at int) {
	text := fmt.Sprintf("there is no component %q", name)
	if near := n.d.parser.nearest(name); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	} else {
		text += "; there are " + strings.Join(n.componentNames(), ", ") + ", and those in templates/components/"
	}
	if sign != ":::" {
		text += "; a literal colon is written \\:"
	}
	n.d.noteForeign(sign+name, errorSeverity, rule.Directive, at, text, "", "")
}

func (n *normaliser) componentNames() []string {
	names := builtInNames()
	if n.d.parser.components != nil {
		for _, name := range n.d.parser.components.Names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// component normalises a block that a directive names.
func (n *normaliser) component(parent ast.Node, c *component) {
	s, ok := n.d.parser.component(c.name)
	if c.name == "code-group" && !ok {
		codeGroup(c, n.d.body)
		s, ok = n.d.parser.component(c.name)
	}
	if kind, alert := alertNamed(c.name); ok && alert && !s.own {
		n.alert(parent, c, kind)
		return
	}
	if ok && s.forms == inline {
		n.d.problem(c.Pos(), errorSeverity, rule.Directive, fmt.Sprintf("a %s stands in a text; write :%s[…]", c.name, c.name))
	}
	if !ok || s.forms == inline {
		if !ok {
			n.unknownComponent(strings.Repeat(":", c.colons), c.name, c.Pos())
		}
		// Its content is looked at as if it stood there without it.
		n.readBlocks(c)
		for kid := c.FirstChild(); kid != nil; kid = c.FirstChild() {
			parent.InsertBefore(parent, c, kid)
			if l, ok := kid.(*label); ok {
				paragraph := ast.NewParagraph()
				replaceBlock(parent, l, paragraph)
				kid = paragraph
			}
			n.block(parent, kid)
		}
		parent.RemoveChild(parent, c)
		return
	}
	outer := n.height
	n.height = 0
	n.blocks(c)
	if l := labelOf(c); l != nil && n.empty(l) {
		c.RemoveChild(c, l)
	}
	n.useComponent(&c.directive, s, c.Pos(), c.plainLabel(n.d))
	c.height = n.height
	n.height = max(outer, c.height+1)
	n.place(parent, c, s)
}

// colonsIn is the height that a component has that code is in: other tools end a
// component at a line of as many colons, in code too.
func (d *Document) colonsIn(code ast.Node) (height int) {
	for i := range code.Lines().Len() {
		line := code.Lines().At(i)
		if text := bytes.TrimLeft(line.Value(d.body), " \t"); bytes.HasPrefix(text, []byte(":::")) {
			height = max(height, runOf(text, ':')-2)
		}
	}
	return height
}

func (c *component) plainLabel(d *Document) string {
	if l := labelOf(c); l != nil {
		return d.plain(l)
	}
	return ""
}

// place checks where a component stands, what it holds and how it is written.
func (n *normaliser) place(parent ast.Node, c *component, s spec) {
	fault := func(at int, text string) { n.d.problem(at, errorSeverity, rule.Directive, text) }
	outer, _ := parent.(*component)
	first := c.FirstChild()
	if labelOf(c) != nil {
		first = first.NextSibling()
	} else if s.label {
		fault(c.Pos(), fmt.Sprintf("%s has no label; write %s[What it says]", c.name, c.sign()))
	}
	switch {
	case s.own:
	case c.name == "tab" && (outer == nil || outer.name != "tabs"):
		fault(c.Pos(), "a tab stands in tabs; write ::::tabs before the first, and :::: behind the last")
	case c.name == "tabs":
		for kid := first; kid != nil; kid = kid.NextSibling() {
			if tab, ok := kid.(*component); !ok || tab.name != "tab" {
				fault(kid.Pos(), "tabs hold nothing but tabs; write :::tab[Label] before this, and ::: behind it")
				break
			}
		}
		if first == nil {
			fault(c.Pos(), "these tabs have no tab; write :::tab[Label] to ::: in them")
		}
	case s.forms&alone == 0 && c.colons == 2:
		fault(c.Pos(), fmt.Sprintf("%s holds something; write :::%s, then what it holds, then ::: on a line of its own", c.name, c.name))
	case s.forms&around == 0 && first != nil:
		fault(c.Pos(), fmt.Sprintf("%s holds nothing; write ::%s[Label]{…} on a line of its own", c.name, c.name))
	}
}

// codeGroup makes tabs of VitePress's groups of code, in which each block has its
// label behind its language: "js [config.js]".
func codeGroup(c *component, source []byte) {
	c.name = "tabs"
	for kid := c.FirstChild(); kid != nil; {
		next := kid.NextSibling()
		if code, ok := kid.(*ast.FencedCodeBlock); ok {
			tab := &component{directive: directive{name: "tab"}, colons: 3, closed: true}
			tab.SetPos(code.Pos())
			l := newLabel()
			l.SetPos(code.Pos())
			name := "Code"
			if code.Info != nil {
				name = strings.TrimSpace(string(code.Info.Segment.Value(source)))
				if open, end := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); open >= 0 && end > open+1 {
					name = name[open+1 : end]
				}
			}
			l.AppendChild(l, plainString(name, code.Pos()))
			tab.AppendChild(tab, l)
			c.ReplaceChild(c, code, tab)
			tab.AppendChild(tab, code)
		}
		kid = next
	}
}

// alert makes an alert of a component.
func (n *normaliser) alert(parent ast.Node, c *component, kind alertKind) {
	for _, a := range c.attributes {
		if n.isLook(c.name, a) {
			continue
		}
		if a.name == "title" && labelOf(c) == nil && a.value != "" {
			l := newLabel()
			l.SetPos(a.at)
			l.AppendChild(l, plainString(a.value, a.at))
			c.InsertBefore(c, c.FirstChild(), l)
			continue
		}
		n.d.problem(a.at, errorSeverity, rule.Directive, fmt.Sprintf("%s has no attribute %q; it has none but its title, as in :::%s[Title]", c.name, a.name, c.name))
	}
	quote := ast.NewBlockquote()
	quote.SetPos(c.Pos())
	quote.SetAttributeString(alertAttribute, kind)
	replaceBlock(parent, c, quote)
	n.block(parent, quote)
}

// linkAttribute says of an attribute whether it leads somewhere, and whether to
// an image.
func linkAttribute(name string) (leads, image bool) {
	switch name {
	case "link", "href", "src", "url", "captions":
		return true, false
	case "image", "poster":
		return true, true
	}
	return false, false
}

// useComponent checks the attributes of a component, and notes those that lead
// somewhere.
func (n *normaliser) useComponent(c *directive, s spec, at int, text string) {
	if n.d.components == nil {
		n.d.components = make(map[string]bool)
	}
	n.d.components[c.name] = true
	if c.name == "youtube" || c.name == "vimeo" {
		n.service(c, at)
	}
	kept := c.attributes[:0]
	for _, a := range c.attributes {
		if !s.own && !n.known(c, s, &a) {
			continue
		}
		if a.name == "id" && !s.own && !n.takeID(a.value, a.at) {
			continue
		}
		if leads, image := linkAttribute(a.name); leads {
			l := &Link{Destination: n.withFacts(strings.TrimSpace(a.value), a.at), Image: image, Alt: text, offset: a.at}
			if l.Alt == "" {
				l.Alt = c.name
			}
			n.addLink(nil, l)
			if c.links == nil {
				c.links = make(map[string]*Link)
			}
			c.links[a.name] = l
		}
		kept = append(kept, a)
	}
	c.attributes = kept
	if !s.own && (c.name == "video" || c.name == "youtube" || c.name == "vimeo") {
		required := map[string]string{"video": "src=tour.mp4"}[c.name]
		if required == "" {
			required = "id=…"
		}
		for _, name := range [...]string{"src", "url"} {
			if c.links[name] != nil {
				return
			}
		}
		n.d.problem(at, errorSeverity, rule.Directive, fmt.Sprintf("%s does not say which; write ::%s[What it shows]{%s}", c.name, c.name, required))
	}
}

// known checks one attribute of a built-in component.
func (n *normaliser) known(c *directive, s spec, a *attribute) bool {
	fault := func(text string) bool {
		n.d.problem(a.at, errorSeverity, rule.Directive, text)
		return false
	}
	if a.name == "id" {
		return true
	}
	if n.isLook(c.name, *a) {
		return false
	}
	if !slices.Contains(s.attributes, a.name) {
		names := append(slices.Clone(s.attributes), "id")
		text := fmt.Sprintf("%s has no attribute %q.", c.name, a.name)
		if near := suggest.Nearest(a.name, names); near != "" {
			text = fmt.Sprintf("%s has no attribute %q; did you mean %q?", c.name, a.name, near)
		}
		return fault(text + " There are " + strings.Join(names, ", "))
	}
	switch a.name {
	case "width", "height":
		if size, err := strconv.Atoi(a.value); err != nil || size < 1 || size > 100_000 {
			return fault(fmt.Sprintf("%s=%q is no number of pixels; write %s=640", a.name, a.value, a.name))
		}
	case "type":
		if _, ok := alertNamed(a.value); !ok {
			return fault(fmt.Sprintf("type=%q is none of note, tip, important, warning and caution", a.value))
		}
	case "open":
		a.value = ""
	}
	return true
}

// isLook reports whether an attribute of a built-in component asks for a look,
// as other tools have it; it is left out, which is reported.
func (n *normaliser) isLook(name string, a attribute) bool {
	if a.name != "class" && a.name != "icon" && a.name != "no-title" {
		return false
	}
	n.d.problem(a.at, warningSeverity, rule.LostHTML, fmt.Sprintf("%s of %s is not read; take it out", a.name, name))
	return true
}

// service takes the name of a video of a service for its address, which reads
// better in the twin.
func (n *normaliser) service(c *directive, at int) {
	for i, a := range c.attributes {
		if a.name != "id" && a.name != "url" {
			continue
		}
		id := a.value
		if a.name == "url" {
			id = videoID(c.name, a.value)
		}
		if !isVideoID(c.name, id) {
			n.d.problem(a.at, errorSeverity, rule.Directive, fmt.Sprintf("%q names no video of %s; write id= and what its address ends in", a.value, c.name))
			id = "0"
		}
		prefix := "https://www.youtube.com/watch?v="
		if c.name == "vimeo" {
			prefix = "https://vimeo.com/"
		}
		c.attributes = slices.Clone(c.attributes)
		c.attributes[i] = attribute{name: "url", value: prefix + id, at: a.at}
		return
	}
}

// videoID finds the name of a video in an address of its service.
func videoID(service, address string) string {
	if scheme, rest := site.Scheme(address); scheme == "https" || scheme == "http" {
		address = rest
	}
	address = strings.TrimPrefix(strings.TrimPrefix(address, "//"), "www.")
	var prefixes []string
	switch service {
	case "youtube":
		prefixes = []string{"youtube.com/watch?v=", "youtube.com/embed/", "youtube-nocookie.com/embed/", "youtube.com/shorts/", "youtu.be/"}
	case "vimeo":
		prefixes = []string{"vimeo.com/", "player.vimeo.com/video/"}
	}
	for _, prefix := range prefixes {
		if id, ok := strings.CutPrefix(address, prefix); ok {
			if end := strings.IndexAny(id, "?&#/"); end >= 0 {
				id = id[:end]
			}
			if isVideoID(service, id) {
				return id
			}
		}
	}
	return ""
}

// isVideoID reports whether a service can have a video of that name.
func isVideoID(service, id string) bool {
	for _, c := range []byte(id) {
		if !util.IsNumeric(c) && (service == "vimeo" || !isLetter(c) && c != '-' && c != '_') {
			return false
		}
	}
	return len(id) >= 3 && len(id) <= 20
}

// takeID takes an id for a place of the page; it reports false where it cannot
// be one, or is one already.
func (n *normaliser) takeID(id string, at int) bool {
	if id == "" || strings.ContainsAny(id, " \t\n") || strings.HasPrefix(id, "fn:") || strings.HasPrefix(id, "fnref") || len(id) > 256 {
		n.d.problem(at, errorSeverity, rule.WrongPath, fmt.Sprintf("%q cannot be the name of a place on a page; write letters and digits with - between them", id))
		return false
	}
	if n.ids == nil {
		n.ids = make(map[string]int)
	}
	if _, taken := n.ids[id]; taken {
		return false
	}
	n.ids[id] = 0
	return true
}

// inlineComponent normalises a component in a text, and returns the node to go
// on with.
func (n *normaliser) inlineComponent(parent ast.Node, c *inlineComponent) (next ast.Node) {
	next = c.NextSibling()
	s, ok := n.d.parser.component(c.name)
	if ok && s.forms&inline == 0 {
		n.d.problem(c.Pos(), errorSeverity, rule.Directive, fmt.Sprintf("%s cannot stand in a text; write it on a line of its own, as ::%s or :::%s", c.name, c.name, c.name))
		return dissolve(parent, c, next)
	}
	if !ok {
		n.unknownComponent(":", c.name, c.Pos())
		return dissolve(parent, c, next)
	}
	n.inlines(c)
	oneLineText(c)
	if s.label && !c.HasChildren() {
		n.d.problem(c.Pos(), errorSeverity, rule.Directive, fmt.Sprintf("%s has no label; write :%s[What it says]", c.name, c.name))
	}
	if c.name == "kbd" && !s.own {
		for _, a := range c.attributes {
			n.d.problem(a.at, errorSeverity, rule.Directive, "kbd has no attributes; write :kbd[Ctrl]")
		}
		span := &elementSpan{tag: "kbd"}
		span.SetPos(c.Pos())
		for kid := c.FirstChild(); kid != nil; kid = c.FirstChild() {
			span.AppendChild(span, kid)
		}
		parent.ReplaceChild(parent, c, span)
		n.closeSpan(parent, span)
		return next
	}
	n.useComponent(&c.directive, s, c.Pos(), n.d.plain(c))
	return next
}

// oneLineText makes spaces of the line breaks in what is written on one line.
func oneLineText(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok && t.SoftLineBreak() {
			t.SetSoftLineBreak(false)
			parent.InsertAfter(parent, t, plainString(" ", t.Segment.Stop))
			continue
		}
		oneLineText(c)
	}
}
