package migrate

import (
	"maps"
	"slices"
	"strings"
	"vitrine/internal/load/tree"
)

// items are those of a list, members those of a map; none of what is not there.
func items(n *tree.Node) []*tree.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

func members(n *tree.Node) []tree.Member {
	if n == nil {
		return nil
	}
	return n.Members
}

func textNode(s string) *tree.Node { return &tree.Node{Kind: tree.Text, Text: s} }

func emptyMap() *tree.Node { return &tree.Node{Kind: tree.Map} }

// wrapped is a map of one key.
func wrapped(n *tree.Node, key string) *tree.Node {
	return &tree.Node{Kind: tree.Map, Members: []tree.Member{{Key: key, Value: n}}}
}

func orMap(n *tree.Node) *tree.Node {
	if n == nil || n.Kind != tree.Map {
		return emptyMap()
	}
	return n
}

func isFalse(n *tree.Node) bool { return n != nil && n.Kind == tree.Bool && n.Text == "false" }

func plainOf(n *tree.Node) any {
	if n == nil {
		return nil
	}
	return n.Plain()
}

// get finds a value by a path of keys, nil where it is not there; letters of any case
// are the same, as they are to Hugo.
func get(n *tree.Node, keys ...string) *tree.Node {
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

// text is a scalar's text, "" for all else.
func text(n *tree.Node) string {
	if n == nil || n.Kind == tree.List || n.Kind == tree.Map {
		return ""
	}
	return strings.TrimSpace(n.Text)
}

// textAt is the first text at one of the keys.
func textAt(n *tree.Node, keys ...string) string {
	for _, key := range keys {
		if s := text(get(n, strings.Split(key, "/")...)); s != "" {
			return s
		}
	}
	return ""
}

// truthAt reports whether a key says true.
func truthAt(n *tree.Node, key string) bool {
	v := get(n, strings.Split(key, "/")...)
	return v != nil && v.Kind == tree.Bool && v.Text == "true"
}

// listOf is a list, or the list of a single value.
func listOf(n *tree.Node) []*tree.Node {
	if n != nil && n.Kind != tree.List {
		return []*tree.Node{n}
	}
	return items(n)
}

// texts are the texts of a list, or a single one.
func texts(n *tree.Node) (out []string) {
	for _, item := range listOf(n) {
		if s := text(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
