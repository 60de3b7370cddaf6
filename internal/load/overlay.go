package load

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// overlay returns the product in another language: product.yaml with the strings of product.TAG.yaml. If that file
// is missing, the facts are those of product.yaml.
func (l *loader) overlay(s *site.Site, tag string) site.Product {
	product := s.Product
	name := strings.TrimSuffix(productPath, ".yaml") + "." + tag + ".yaml"
	if _, err := l.folder.Stat(name); err != nil || l.product == nil {
		return product
	}
	root, r := l.document(name, "the texts of product.yaml in this language")
	if root == nil {
		return product
	}
	o := overlayer{r, l.wrongFacts}
	merged := o.merge(value{root, "", root.Pos}, l.product)
	l.problems = append(l.problems, r.problems...)
	// Despite mistakes, the valid part is used: pages may name it. The mistakes of product.yaml itself have been
	// reported there.
	return readProduct(&report{path: name}, merged)
}

// overlayer replaces strings of product.yaml with strings in another language.
type overlayer struct {
	*report
	// wrongFacts are the places in product.yaml where something was reported: what does not fit these is its consequence.
	wrongFacts map[site.Pos]bool
}

func (o overlayer) wrong(at site.Pos, format string, args ...any) {
	o.errorf(at, format, args...).Code = rule.Overlay
}

// merge returns the node of product.yaml with the strings of v.
func (o overlayer) merge(v value, own *tree.Node) *tree.Node {
	switch {
	case v.Kind == tree.Null, own.Kind != tree.Map && o.wrongFacts[own.Pos]:
		return own
	case own.Kind == tree.Map:
		return o.members(v, own)
	case own.Kind == tree.List:
		return o.items(v, own)
	case own.Kind == tree.Text && o.fixed(v.name, own.Text):
		o.wrong(v.key, "%s: it is the same in every language and stands in product.yaml alone; take it out here", v.name)
		return own
	case own.Kind == tree.Text:
		var s string
		if text(&s).read(o.report, v); s == "" {
			return own
		}
		return &tree.Node{Kind: tree.Text, Pos: v.Pos, Text: s, Quoted: true}
	}
	o.wrong(v.key, "%s: it is %s in product.yaml, the same in every language; take it out here", v.name, kindOf(own))
	return own
}

// kindOf names the type of a value that can't be translated.
func kindOf(n *tree.Node) string {
	switch n.Kind {
	case tree.Number:
		return "the number " + n.Text
	case tree.Bool:
		return n.Text
	}
	return "empty"
}

// fixed reports whether a string is the same in every language: an address, a code, or a date.
func (o overlayer) fixed(name, own string) bool {
	switch name {
	case "contact", "pricing.currency", "schemaType", "applicationCategory", "operatingSystem", "updated":
		return true
	}
	return absoluteURI(own) == "" || email(own) == ""
}

func (o overlayer) members(v value, own *tree.Node) *tree.Node {
	if v.Kind != tree.Map {
		o.wrong(v.Pos, "%swant a map of keys and texts as in product.yaml, found %s", prefix(v), v.Describe())
		return own
	}
	known, wrong := make([]string, len(own.Members)), []string(nil)
	for i, m := range own.Members {
		known[i] = m.Key
		if o.wrongFacts[m.Pos] {
			wrong = append(wrong, m.Key)
		}
	}
	for i, m := range v.Members {
		if oddKey(o.report, v, i) || slices.Contains(known, m.Key) || suggest.Nearest(m.Key, wrong) != "" {
			continue
		}
		text := fmt.Sprintf("there is no %s in product.yaml, so that it translates nothing", child(v, m.Key))
		if near := suggest.Nearest(m.Key, known); near != "" {
			text += fmt.Sprintf("; did you mean %q?", near)
		} else {
			text += "; take it out"
		}
		o.wrong(m.Pos, "%s", text)
	}
	merged := *own
	merged.Members = slices.Clone(own.Members)
	for i := range merged.Members {
		m := &merged.Members[i]
		if said := v.Get(m.Key); said != nil && !m.Missing {
			m.Value = o.merge(value{said.Value, child(v, m.Key), said.Pos}, m.Value)
		}
	}
	return &merged
}

// items replaces the strings of a list in product.yaml, one for each. For a list of named items, such as the plans,
// it accepts a map by their names in product.yaml.
func (o overlayer) items(v value, own *tree.Node) *tree.Node {
	merged := *own
	merged.Items = slices.Clone(own.Items)
	switch {
	case v.Kind == tree.Map && itemNames(own) != nil:
		names := itemNames(own)
		for i, m := range v.Members {
			if oddKey(o.report, v, i) {
				continue
			}
			at := slices.Index(names, m.Key)
			if at < 0 {
				text := fmt.Sprintf("%s: product.yaml has no %q there", v.name, m.Key)
				if near := suggest.Nearest(m.Key, names); near != "" {
					text += fmt.Sprintf("; did you mean %q?", near)
				} else {
					text += "; its are " + enumerate(names)
				}
				o.wrong(m.Pos, "%s", text)
				continue
			}
			merged.Items[at] = o.merge(value{m.Value, child(v, m.Key), m.Pos}, own.Items[at])
		}
	case v.Kind != tree.List:
		o.wrong(v.Pos, "%s: want a list as in product.yaml, found %s", v.name, v.Describe())
	case len(v.Items) != len(own.Items):
		o.wrong(v.Pos, "%s: there are %d here and %d in product.yaml; translate each in its place", v.name, len(v.Items), len(own.Items))
	default:
		for i := range v.Items {
			merged.Items[i] = o.merge(element(v, i), own.Items[i])
		}
	}
	return &merged
}

// itemNames returns the names of a list's items, or nil if one of them has no name.
func itemNames(list *tree.Node) []string {
	var names []string
	for _, item := range list.Items {
		name := item.Get("name")
		if item.Kind != tree.Map || name == nil || name.Value.Kind != tree.Text {
			return nil
		}
		names = append(names, name.Value.Text)
	}
	return names
}
