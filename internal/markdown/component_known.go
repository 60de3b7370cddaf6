package markdown

import (
	"slices"
	"strings"

	"vitrine/internal/load/suggest"
)

// This file contains the table of components and the notations that each component allows. The parser uses the table,
// and so does completion in editors.

// form is a set of the notations in which a component may be written.
type form uint8

const (
	around form = 1 << iota // ":::name" to ":::"
	alone                   // "::name" on a line
	inline                  // ":name" in text
)

// spec describes a component.
type spec struct {
	forms      form
	attributes []string
	// label is true if the component requires a label.
	label bool
	// own reports whether the site adds the component, in which case any attribute is allowed.
	own bool
}

// builtIns returns the components available on every site, except alerts.
func builtIns() []ComponentHelp {
	return []ComponentHelp{
		{"details", "A section that opens and closes; its label is always visible.", spec{forms: around, attributes: []string{"open"}}},
		{"tabs", "Sections that are shown one at a time; each is a tab.", spec{forms: around, attributes: []string{"group"}}},
		{"tab", "A tab with a label.", spec{forms: around, label: true}},
		{"steps", "A numbered list, shown as steps to follow.", spec{forms: around}},
		{"filetree", "A list of files and folders, shown as a tree that opens and closes.", spec{forms: around}},
		{"columns", "Sections shown side by side on wide screens; each is a column.", spec{forms: around}},
		{"column", "One of the columns.", spec{forms: around}},
		{"fields", "The members of a request, a response, or a setting; each is a field.", spec{forms: around}},
		{"field", "A member; its label is the name.", spec{forms: around | alone, attributes: []string{"type", "required", "deprecated", "default"}, label: true}},
		{"cards", "Cards shown side by side.", spec{forms: around}},
		{"card", "A card. Its label is the title and may contain a link. Without a label, the card shows the title and description of the linked page.", spec{forms: around | alone, attributes: []string{"link"}, label: true}},
		{"figure", "An image or code with a caption.", spec{forms: around}},
		{"zoom", "An image that opens at full size; its label is the caption.", spec{forms: around}},
		{"video", "A video file from the site.", spec{forms: alone, attributes: []string{"src", "poster", "width", "height", "captions"}}},
		{"youtube", "An image that links to a YouTube video; the page contacts YouTube only after a click.", spec{forms: alone, attributes: []string{"url", "poster"}, label: true}},
		{"vimeo", "An image that links to a Vimeo video; the page contacts Vimeo only after a click.", spec{forms: alone, attributes: []string{"url", "poster"}, label: true}},
		{"badge", "A word or two on a colored background.", spec{forms: inline, attributes: []string{"type"}, label: true}},
		{"kbd", "Keys to press.", spec{forms: inline, label: true}},
	}
}

// ComponentHelp describes a component for completion and help in editors.
type ComponentHelp struct {
	Name, About string
	spec
}

// Placement reports whether the component may be a block, and whether it may be inline.
func (c ComponentHelp) Placement() (block, inText bool) {
	return c.forms&(around|alone) != 0, c.forms&inline != 0
}

// Attributes returns the names of the component's allowed attributes.
func (c ComponentHelp) Attributes() []string { return c.attributes }

// Example returns an example of the component in Markdown.
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

// Components returns the components that the site's pages can use.
func (p *Parser) Components() []ComponentHelp {
	all := builtIns()
	for _, name := range alertNames() {
		all = append(all, ComponentHelp{name, "An alert: a highlighted paragraph.", spec{forms: around}})
	}
	if p.components != nil {
		for _, name := range p.components.Names() {
			all = append(all, ComponentHelp{name, "A component of this site: templates/components/" + name + ".html.", spec{forms: around | alone | inline, own: true, attributes: []string{"key"}}})
		}
	}
	return all
}

func alertNames() []string { return []string{"note", "tip", "important", "warning", "caution"} }

// component returns the spec of the component called name, and reports whether it exists.
func (p *Parser) component(name string) (spec, bool) {
	if p.components != nil && p.components.Own(name) {
		return spec{forms: around | alone | inline, own: true}, true
	}
	for _, c := range builtIns() {
		if c.Name == name {
			return c.spec, true
		}
	}
	_, alert := alertNamed(name)
	return spec{forms: around}, alert
}

// nearest returns the component name most similar to word, or "" if no name is similar.
func (p *Parser) nearest(word string) string { return suggest.Nearest(word, p.componentNames()) }

// alertNamed returns the kind of alert that the component called name represents. It returns false if the component
// isn't an alert. It maps "info" and "danger", which Docusaurus uses, to a note and a caution, and GitBook's "hint" to
// a tip.
func alertNamed(name string) (string, bool) {
	switch name {
	case "info":
		name = "note"
	case "hint":
		name = "tip"
	case "danger":
		name = "caution"
	}
	if name != strings.ToLower(name) {
		return "", false
	}
	kind, _, ok := findAlert([]byte("[!" + name + "]"))
	return kind, ok
}

// componentNames returns the names of the components that the site's pages can use.
func (p *Parser) componentNames() []string {
	names := alertNames()
	for _, c := range builtIns() {
		names = append(names, c.Name)
	}
	if p.components != nil {
		for _, name := range p.components.Names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
