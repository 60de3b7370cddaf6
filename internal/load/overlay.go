package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/facts"
	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// overlay returns the product in the language with the given tag: product.yaml with the translations in
// product.TAG.yaml. It also returns the strings without a translation, which are all translatable strings if
// product.TAG.yaml doesn't exist. If either file can't be read, it returns the untranslated product and no strings.
func (l *loader) overlay(s *site.Site, tag string) (site.Product, []site.FactText) {
	product := s.Product
	if l.product == nil {
		return product, nil
	}
	name := overlayPath(tag)
	if _, err := l.folder.Stat(name); err != nil {
		return product, untranslated(l.product, l.product)
	}
	root, r := l.document(name, "the translated strings of product.yaml")
	if root == nil {
		return product, nil
	}
	o := overlayer{r, l.wrongFacts}
	merged := o.merge(value{root, "", root.Pos}, l.product)
	l.problems = append(l.problems, r.problems...)
	// Use the valid parts despite errors, because pages may refer to them. Errors in product.yaml itself have already
	// been reported.
	return readProduct(&report{path: name}, merged), untranslated(merged, l.product)
}

// overlayPath returns the path of the file that translates the facts into the language with the given tag.
func overlayPath(tag string) string {
	return strings.TrimSuffix(productPath, ".yaml") + "." + tag + ".yaml"
}

// untranslated returns the translatable strings without a translation, in the order of product.yaml. own is the content
// of product.yaml, and merged is the result of overlayer.merge. Such a string has the same node in both trees.
func untranslated(merged, own *tree.Node) []site.FactText {
	var found []site.FactText
	var walk func(path, kind string, merged, own *tree.Node)
	walk = func(path, kind string, merged, own *tree.Node) {
		names := itemNames(own)
		for i, item := range own.Items {
			name := strconv.Itoa(i)
			if names != nil {
				name = names[i]
			}
			walk(facts.Join(path, name), kind+".*", merged.Items[i], item)
		}
		for i, m := range own.Members {
			walk(facts.Join(path, m.Key), strings.TrimPrefix(kind+"."+m.Key, "."), merged.Members[i].Value, m.Value)
		}
		if text := strings.Join(strings.Fields(own.Text), " "); merged == own && own.Kind == tree.Text && text != "" && isTranslatable(kind) {
			found = append(found, site.FactText{Path: path, Text: text, Pos: own.Pos})
		}
	}
	walk("", "", merged, own)
	return found
}

// isTranslatable reports whether a member of product.yaml is text for visitors, which must be translated. In member,
// the path of the member, "*" represents any list item. isTranslatable returns false for names, which may be the same
// in every language, and for custom members, which may be data for programs.
func isTranslatable(member string) bool {
	switch member {
	case "description", "audience.*", "capabilities.*", "gettingStarted.offer", "gettingStarted.steps.*",
		"pricing.billingPeriod", "pricing.creditDefinition", "pricing.plans.*.note", "pricing.plans.*.features.*",
		"pricing.onRequest.*.note", "pricing.onRequest.*.features.*":
		return true
	}
	return false
}

// overlayer replaces strings in product.yaml with their translations.
type overlayer struct {
	*report
	// wrongFacts are the positions of problems in product.yaml. The overlayer ignores translations of the values at
	// these positions.
	wrongFacts map[site.Pos]bool
}

func (o overlayer) wrong(at site.Pos, format string, args ...any) {
	o.errorf(at, format, args...).Code = rule.Overlay
}

// merge returns own, a node in product.yaml, with its strings replaced by their translations in v. A value without a
// valid translation is unchanged.
func (o overlayer) merge(v value, own *tree.Node) *tree.Node {
	switch {
	case v.Kind == tree.Null, own.Kind != tree.Map && o.wrongFacts[own.Pos]:
		return own
	case own.Kind == tree.Map:
		return o.members(v, own)
	case own.Kind == tree.List:
		return o.items(v, own)
	case own.Kind == tree.Text && o.fixed(v.name, own.Text):
		o.wrong(v.key, "%s: the value is the same in every language and belongs only in product.yaml; remove the key here", v.name)
		return own
	case own.Kind == tree.Text:
		var s string
		if text(&s).read(o.report, v); s == "" {
			return own
		}
		return &tree.Node{Kind: tree.Text, Pos: v.Pos, Text: s, Quoted: true}
	}
	o.wrong(v.key, "%s: the value is %s in product.yaml, and the same in every language; remove the key here", v.name, kindOf(own))
	return own
}

// kindOf returns a description, for a message, of a value that can't be translated.
func kindOf(n *tree.Node) string {
	switch n.Kind {
	case tree.Number:
		return "the number " + n.Text
	case tree.Bool:
		return n.Text
	}
	return "empty"
}

// fixed reports whether own, the named member's value, is the same in every language, such as a URL, a code, or a date.
func (o overlayer) fixed(name, own string) bool {
	switch name {
	case "contact", "pricing.currency", "schemaType", "applicationCategory", "operatingSystem", "updated":
		return true
	}
	return absoluteURI(own) == "" || email(own) == ""
}

func (o overlayer) members(v value, own *tree.Node) *tree.Node {
	if v.Kind != tree.Map {
		o.wrong(v.Pos, "%swant a map of keys to strings as in product.yaml, found %s", prefix(v), v.Describe())
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
		text := fmt.Sprintf("there is no %s in product.yaml to translate", child(v, m.Key))
		if near := suggest.Nearest(m.Key, known); near != "" {
			text += fmt.Sprintf("; did you mean %q?", near)
		} else {
			text += "; remove the key"
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

// items returns own, a list in product.yaml, with the items translated by v. v must be a list with the same number of
// items. If the items have names, as plans do, v may also be a map keyed by the names in product.yaml. If v has another
// form, items reports a problem and returns the items untranslated.
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
				text := fmt.Sprintf("%s: product.yaml has no item named %q in this list", v.name, m.Key)
				if near := suggest.Nearest(m.Key, names); near != "" {
					text += fmt.Sprintf("; did you mean %q?", near)
				} else {
					text += "; the names are " + enumerate(names)
				}
				o.wrong(m.Pos, "%s", text)
				continue
			}
			merged.Items[at] = o.merge(value{m.Value, child(v, m.Key), m.Pos}, own.Items[at])
		}
	case v.Kind != tree.List:
		o.wrong(v.Pos, "%s: want a list as in product.yaml, found %s", v.name, v.Describe())
	case len(v.Items) != len(own.Items):
		o.wrong(v.Pos, "%s: the number of items is %d here and %d in product.yaml; translate each item, in the same order", v.name, len(v.Items), len(own.Items))
	default:
		for i := range v.Items {
			merged.Items[i] = o.merge(element(v, i), own.Items[i])
		}
	}
	return &merged
}

// itemNames returns the names of a list's items, or nil if an item isn't a map with a name.
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
