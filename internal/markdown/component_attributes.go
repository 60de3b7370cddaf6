package markdown

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/load/suggest"
	"vitrine/internal/rule"
)

// linkAttribute reports whether the value of the named attribute is a link, and whether its target is an image.
func linkAttribute(name string) (isLink, image bool) {
	switch name {
	case "link", "href", "src", "url", "captions":
		return true, false
	case "image", "poster":
		return true, true
	}
	return false, false
}

// useComponent checks the attributes of the component c, and records the links in them. at is the offset of the
// component, and text is its label without markup, which describes the links.
func (n *normalizer) useComponent(c *directive, s spec, at int, text string) {
	if n.d.components == nil {
		n.d.components = make(map[string]bool)
	}
	n.d.components[c.name] = true
	if c.name == "youtube" || c.name == "vimeo" {
		n.service(c, at)
	}
	kept, refused := c.attributes[:0], false
	for _, a := range c.attributes {
		if !s.own && !n.known(c, s, &a) {
			refused = true
			continue
		}
		if a.name == "id" && !s.own && !n.takeID(a.value, a.at) {
			continue
		}
		if isLink, image := linkAttribute(a.name); isLink {
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
	// If an attribute was rejected, don't report a missing attribute, because the rejected one may be its misspelling.
	if !s.own && !refused && (c.name == "video" || c.name == "youtube" || c.name == "vimeo") {
		required := map[string]string{"video": "src=tour.mp4"}[c.name]
		if required == "" {
			required = "id=…"
		}
		for _, name := range [...]string{"src", "url"} {
			if c.links[name] != nil {
				return
			}
		}
		n.d.problem(at, errorSeverity, rule.Directive, fmt.Sprintf("%s is incomplete; write ::%s[description]{%s}", c.name, c.name, required))
	}
}

// known reports whether a is a valid attribute of a built-in component. If not, known reports a problem, and the caller
// must drop the attribute. It clears the value of an attribute that takes none, such as open.
func (n *normalizer) known(c *directive, s spec, a *attribute) bool {
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
		text := fmt.Sprintf("%s has no attribute %q; the attributes are ", c.name, a.name)
		if near := suggest.Nearest(a.name, names); near != "" {
			text = fmt.Sprintf("%s has no attribute %q; did you mean %q? The attributes are ", c.name, a.name, near)
		}
		return fault(text + strings.Join(names, ", "))
	}
	switch a.name {
	case "width", "height":
		if size, err := strconv.Atoi(a.value); err != nil || size < 1 || size > 100_000 {
			return fault(fmt.Sprintf("%s=%q is not a number of pixels; write %s=640", a.name, a.value, a.name))
		}
	case "type":
		if c.name == "field" {
			break
		}
		if _, ok := alertNamed(a.value); !ok {
			return fault(fmt.Sprintf("unknown type %q; want note, tip, important, warning, or caution", a.value))
		}
	case "open", "required", "deprecated":
		a.value = ""
	}
	return true
}

// isLook reports whether a is an attribute that other tools use to style the built-in component called name. If so, it
// warns that the attribute is ignored.
func (n *normalizer) isLook(name string, a attribute) bool {
	if a.name != "class" && a.name != "icon" && a.name != "no-title" {
		return false
	}
	n.d.problem(a.at, warningSeverity, rule.LostHTML, fmt.Sprintf("the %s attribute of %s is ignored; remove it", a.name, name))
	return true
}

// takeID reserves an ID for an element. It returns false if the ID is taken or invalid, and reports an invalid ID at
// position at.
func (n *normalizer) takeID(id string, at int) bool {
	if id == "" || strings.ContainsAny(id, " \t\n") || strings.HasPrefix(id, "fn:") || strings.HasPrefix(id, "fnref") || len(id) > 256 {
		n.d.problem(at, errorSeverity, rule.WrongPath, fmt.Sprintf("%q is not a valid anchor; use letters, digits, and hyphens", id))
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
