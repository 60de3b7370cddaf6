package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/mail"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
)

// jsonPath is a path in a JSON document: names, indexes, and "*" for each member.
type jsonPath []string

var jsonStep = lazyregexp.New(`^(?:\.?([^.\[\]"\s]+)|\["([^"]+)"\]|\[(\*|[0-9]+)\])`)

// parsePath parses a path such as pricing.plans[0].name or paths["/api"].get; "." is the whole
// document.
func parsePath(s string) (jsonPath, error) {
	path := jsonPath{}
	for rest := strings.TrimSuffix(s, "."); rest != ""; {
		m := jsonStep.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("invalid JSON path %q at %q", s, rest)
		}
		path = append(path, m[1]+m[2]+m[3])
		rest = rest[len(m[0]):]
	}
	return path, nil
}

// decode parses text, which must contain exactly one JSON value. It decodes numbers as json.Number, which preserves
// their spelling.
func decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, fmt.Errorf("reading JSON: %w", err)
	}
	if d.More() {
		return nil, fmt.Errorf("reading JSON: want one value, found more")
	}
	return root, nil
}

// find returns the values at the path in a JSON document: one value, or any number of values if the path contains "*".
// If the text isn't JSON or has no value at the path, the error is a mismatch.
func (p jsonPath) find(text []byte) ([]any, error) {
	root, err := decode(text)
	if err != nil {
		return nil, &mismatch{err.Error() + ": " + clip(string(text)), "JSON"}
	}
	nodes := []any{root}
	for i, step := range p {
		var next []any
		for _, n := range nodes {
			found, ok := children(follow(root, n), step)
			if !ok {
				return nil, &mismatch{"no such member", "a member " + strings.Join(p[:i+1], " ")}
			}
			next = append(next, found...)
		}
		nodes = next
	}
	for i, n := range nodes {
		nodes[i] = follow(root, n)
	}
	return nodes, nil
}

// children returns the member of node selected by step, or all members if step is "*". It returns false if there is no
// such member.
func children(node any, step string) ([]any, bool) {
	switch n := node.(type) {
	case map[string]any:
		if step == "*" {
			var all []any
			for _, name := range slices.Sorted(maps.Keys(n)) {
				all = append(all, n[name])
			}
			return all, true
		}
		member, ok := n[step]
		return []any{member}, ok
	case []any:
		if step == "*" {
			return n, true
		}
		i, err := strconv.Atoi(step)
		if err != nil || i >= len(n) {
			return nil, false
		}
		return []any{n[i]}, true
	}
	return nil, false
}

// follow returns node, or the target of node if node is a local reference, {"$ref": "#/…"}. It follows at most eight
// references in a row, and returns nil if a target is missing.
func follow(root, node any) any {
	for range 8 {
		object, _ := node.(map[string]any)
		ref, _ := object["$ref"].(string)
		pointer, ok := strings.CutPrefix(ref, "#/")
		if !ok {
			return node
		}
		node = root
		for _, token := range strings.Split(pointer, "/") {
			token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
			found, ok := children(node, token)
			if !ok {
				return nil
			}
			node = found[0]
		}
	}
	return node
}

// jsonText returns a string unchanged and any other value as compact JSON.
func jsonText(node any) string {
	if s, ok := node.(string); ok {
		return s
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(node); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

var integer = lazyregexp.New(`^-?[0-9]+(\.0+)?$`)

// types returns the names of the types and formats that a check may require.
func types() []string {
	return []string{"string", "number", "integer", "boolean", "array", "object", "null", "URI", "email"}
}

// isType reports whether a JSON value has the named type or is a string in the named format; see types.
func isType(node any, name string) bool {
	switch n := node.(type) {
	case string:
		switch name {
		case "URI":
			u, err := url.Parse(n)
			return err == nil && u.IsAbs()
		case "email":
			address, err := mail.ParseAddress(n)
			return err == nil && address.Address == n
		}
		return name == "string"
	case json.Number:
		return name == "number" || name == "integer" && integer.MatchString(n.String())
	case bool:
		return name == "boolean"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return name == "null"
}

// sameJSON reports whether two JSON values are equal, regardless of the order of members. Numbers are equal only if
// they have the same spelling.
func sameJSON(a, b any) bool { return reflect.DeepEqual(a, b) }
