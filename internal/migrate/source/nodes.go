package source

import (
	"maps"
	"slices"
	"strings"

	"vitrine/internal/load/tree"
)

// Items returns the items of a list, or nil if n is nil.
func Items(n *tree.Node) []*tree.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// Members returns the members of a map, or nil if n is nil.
func Members(n *tree.Node) []tree.Member {
	if n == nil {
		return nil
	}
	return n.Members
}

// TextNode returns a node that contains a string.
func TextNode(s string) *tree.Node { return &tree.Node{Kind: tree.Text, Text: s} }

// EmptyMap returns a map without members.
func EmptyMap() *tree.Node { return &tree.Node{Kind: tree.Map} }

// Wrapped returns a map with one member, whose key is key and whose value is n.
func Wrapped(n *tree.Node, key string) *tree.Node {
	return &tree.Node{Kind: tree.Map, Members: []tree.Member{{Key: key, Value: n}}}
}

// OrMap returns n if n is a map, and an empty map otherwise.
func OrMap(n *tree.Node) *tree.Node {
	if n == nil || n.Kind != tree.Map {
		return EmptyMap()
	}
	return n
}

// IsFalse reports whether n is the value false.
func IsFalse(n *tree.Node) bool { return n != nil && n.Kind == tree.Bool && n.Text == "false" }

// PlainOf returns n as plain Go values, or nil if n is nil.
func PlainOf(n *tree.Node) any {
	if n == nil {
		return nil
	}
	return n.Plain()
}

// Get returns the value at a path of keys, or nil if there is none. Like Hugo, it ignores the case of keys.
func Get(n *tree.Node, keys ...string) *tree.Node {
	for _, key := range keys {
		if n == nil || n.Kind != tree.Map {
			return nil
		}
		m := n.Get(key)
		if m == nil {
			if i := slices.IndexFunc(n.Members, func(m tree.Member) bool { return strings.EqualFold(m.Key, key) }); i >= 0 {
				m = &n.Members[i]
			}
		}
		if m == nil {
			return nil
		}
		n = m.Value
	}
	return n
}

// Text returns a scalar's text, or "" for other nodes.
func Text(n *tree.Node) string {
	if n == nil || n.Kind == tree.List || n.Kind == tree.Map {
		return ""
	}
	return strings.TrimSpace(n.Text)
}

// TextAt returns the first nonempty text at one of the keys, or "" if there is none. A key may be a path with slashes,
// such as "hero/name".
func TextAt(n *tree.Node, keys ...string) string {
	for _, key := range keys {
		if s := Text(Get(n, strings.Split(key, "/")...)); s != "" {
			return s
		}
	}
	return ""
}

// TruthAt reports whether the value at key is true. key may be a path with slashes.
func TruthAt(n *tree.Node, key string) bool {
	v := Get(n, strings.Split(key, "/")...)
	return v != nil && v.Kind == tree.Bool && v.Text == "true"
}

// ListOf returns the items of n if n is a list, no items if n is nil, and otherwise n as the only item.
func ListOf(n *tree.Node) []*tree.Node {
	if n != nil && n.Kind != tree.List {
		return []*tree.Node{n}
	}
	return Items(n)
}

// Texts returns the nonempty strings in the list n, or the string n if n isn't a list.
func Texts(n *tree.Node) (out []string) {
	for _, item := range ListOf(n) {
		if s := Text(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// SortedKeys returns the keys of a map in ascending order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
