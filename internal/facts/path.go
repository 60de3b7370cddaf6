package facts

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/load/suggest"
	"vitrine/internal/site"
)

// lookup returns the fact at path and the path's canonical form, which identifies named list items by name. original is
// a tree with the same structure, or nil. lookup also accepts the names in original, so that pages in another language
// can use the plan names of product.yaml.
func lookup(root, original *site.Fact, path string) (fact *site.Fact, canonical string, err error) {
	parts, err := split(path)
	if err != nil {
		return nil, "", err
	}
	fact = root
	for _, part := range parts {
		if fact.Kind == site.MissingFact {
			break
		}
		at, name := child(fact, part)
		if at < 0 && original != nil {
			if at, _ = child(original, part); at >= 0 {
				_, name = child(fact, strconv.Itoa(at))
			}
		}
		if at < 0 {
			return nil, "", unknown(fact, canonical, part)
		}
		if fact, canonical = fact.Items[at], Join(canonical, name); original != nil {
			original = original.Items[at]
		}
	}
	return fact, canonical, nil
}

// split splits path at the dots outside quotes and removes the quotes. It returns an error if a quote isn't closed or a
// part is empty.
func split(path string) ([]string, error) {
	var parts []string
	for {
		var part string
		path = strings.TrimLeft(path, " ")
		if strings.HasPrefix(path, `"`) {
			end := strings.IndexByte(path[1:], '"')
			if end < 0 {
				return nil, errors.New("this path has no closing quote; add \" after the name")
			}
			part, path = path[1:1+end], strings.TrimLeft(path[end+2:], " ")
			parts = append(parts, part)
			switch {
			case path == "":
				return parts, nil
			case path[0] != '.':
				return nil, fmt.Errorf("%q directly follows a quoted name; add a dot between them", path)
			}
			path = path[1:]
			continue
		}
		part, rest, more := strings.Cut(path, ".")
		if part = strings.TrimSpace(part); part == "" {
			return nil, errors.New("a name is missing before or after a dot; write a path such as pricing.currency")
		}
		parts, path = append(parts, part), rest
		if !more {
			return parts, nil
		}
	}
}

// child returns the index of the map member or list item that part identifies. name is part in canonical form. If part
// is both an item's name and an index, it identifies the item with that name. at is -1 if there is no such member or
// item.
func child(f *site.Fact, part string) (at int, name string) {
	switch f.Kind {
	case site.MapFact:
		return slices.Index(f.Keys, part), part
	case site.ListFact:
		for i, item := range f.Items {
			if nameOf(item) == part {
				return i, part
			}
		}
		if i, err := strconv.Atoi(part); err == nil && i >= 0 && i < len(f.Items) {
			if own := nameOf(f.Items[i]); own != "" {
				return i, own
			}
			return i, strconv.Itoa(i)
		}
	}
	return -1, ""
}

// nameOf returns the string under an item's key "name", or "" if item isn't a map or has no such string.
func nameOf(item *site.Fact) string {
	if item.Kind != site.MapFact {
		return ""
	}
	if name := item.Member("name"); name != nil && name.Kind == site.TextFact {
		return name.Text
	}
	return ""
}

// Join appends part to path, quoting it if necessary.
func Join(path, part string) string {
	if strings.ContainsAny(part, ". ") {
		part = `"` + part + `"`
	}
	if path == "" {
		return part
	}
	return path + "." + part
}

// names returns the parts that can follow the path of f: the keys of a map, or the name of each item in a list. For an
// item without a name, it returns the index.
func names(f *site.Fact) []string {
	if f.Kind == site.MapFact {
		return f.Keys
	}
	var out []string
	for i, item := range f.Items {
		name := nameOf(item)
		if name == "" {
			name = strconv.Itoa(i)
		}
		out = append(out, name)
	}
	return out
}

// unknown returns the error for a part that doesn't exist in f, the fact at path. The error suggests the nearest part,
// or lists the known parts if no part is near.
func unknown(f *site.Fact, path, part string) error {
	full := Join(path, part)
	if f.Kind != site.MapFact && f.Kind != site.ListFact {
		return fmt.Errorf("unknown fact %q: %q is %s and has no members", full, path, describe(f))
	}
	known := names(f)
	if near := suggest.Nearest(part, known); near != "" {
		return fmt.Errorf("unknown fact %q; did you mean %q?", full, Join(path, near))
	}
	switch {
	case len(known) == 0:
		return fmt.Errorf("unknown fact %q: %q is empty", full, path)
	case path == "":
		return fmt.Errorf("unknown fact %q; product.yaml has %s", full, enumerate(known))
	}
	return fmt.Errorf("unknown fact %q; %q has %s", full, path, enumerate(known))
}

// Expressions returns the expressions that editing tools suggest: the paths of strings, numbers, Booleans, and lists of
// such values, the monthly price of each plan, and the keywords plans and meant. It omits the paths of the items in
// these lists.
func (f *Values) Expressions() []string {
	var all []string
	var walk func(fact *site.Fact, path string)
	walk = func(fact *site.Fact, path string) {
		if v, err := f.Expand(path); path != "" && err == nil && (v.Form == Inline || v.Form == List) {
			all = append(all, path)
			return
		}
		for i, name := range names(fact) {
			walk(fact.Items[i], Join(path, name))
		}
	}
	if f.product.Facts != nil {
		walk(f.product.Facts, "")
	}
	for _, p := range f.product.Pricing.Plans {
		all = append(all, fmt.Sprintf("price %q", p.Name))
	}
	return append(all, "plans", "meant")
}

// enumerate joins names for a sentence, as in "a, b, and c". It truncates the list after 12 names.
func enumerate(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", and more"
	}
	if len(names) < 3 {
		return strings.Join(names, " and ")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + ", and " + names[last]
}

func describe(f *site.Fact) string {
	switch f.Kind {
	case site.TruthFact:
		return "the Boolean " + f.Text
	case site.NumberFact:
		return "the number " + f.Text
	case site.TextFact:
		return "a string"
	case site.ListFact:
		return "a list"
	case site.MapFact:
		return "a map"
	}
	return "empty"
}
