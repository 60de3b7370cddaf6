package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
)

// SplitFront separates the front matter from a page: YAML between "---", TOML between "+++", JSON in braces or after
// "---json", or a program after "---js". If the page has no front matter, root is an empty map and body is text. If the
// front matter is invalid, root is an empty map and err isn't nil.
func SplitFront(text string) (root *tree.Node, body string, err error) {
	root = EmptyMap()
	first, rest, _ := strings.Cut(text, "\n")
	mark := strings.TrimRight(first, " \t")
	if end := strings.Index(text, "\n}\n"); mark == "{" && end >= 0 {
		data := text[:end+2]
		if read, fault := parsed(tree.JSON([]byte(data), 1)); fault == nil && read.Kind == tree.Map {
			return read, text[end+3:], nil
		}
	}
	program := mark == "---js" || mark == "---javascript"
	if program || mark == "---json" { // JSON is YAML
		mark = "---"
	}
	if mark != "---" && mark != "+++" {
		return root, text, nil
	}
	data, found, line := "", true, ""
	for {
		if line, rest, found = strings.Cut(rest, "\n"); strings.TrimRight(line, " \t") == mark || mark == "---" && strings.TrimRight(line, " \t") == "..." {
			break
		}
		if !found {
			// A single "---" line is a thematic break, not front matter.
			return root, text, nil
		}
		data += line + "\n"
	}
	var read *tree.Node
	if mark == "+++" {
		read, err = parsed(tree.TOML([]byte(data), 2))
	} else if program {
		read = programKeys(data)
	} else {
		read, err = looseYAML(data)
		if lines := keysByLine(data); err != nil && lines != nil {
			read, err = lines, nil
		}
	}
	return OrMap(read), rest, err
}

// programText matches a constant, or a member of an object, whose value is a string, a list on one line, a number, or a
// boolean.
var programText = lazyregexp.New(`(?m)^\s*(?:(?:const|let|var)\s+)?["']?([A-Za-z_]\w*)["']?\s*[=:]\s*(?:"([^"\n]*)"|'([^'\n]*)'|(true|false|-?\d+|\[[^\]\n]*\])),?;?[ \t]*$`)

// programKeys returns the constants in front matter that is written as a program, as Eleventy allows.
func programKeys(code string) *tree.Node {
	root := EmptyMap()
	for _, m := range programText.FindAllStringSubmatch(code, -1) {
		value := TextNode(m[2] + m[3])
		if m[4] != "" {
			read, fault := parsed(tree.YAML([]byte("value: "+m[4]+"\n"), 1))
			if fault != nil {
				continue
			}
			value = read.Get("value").Value
		}
		if root.Get(m[1]) == nil {
			root.Members = append(root.Members, tree.Member{Key: m[1], Value: value})
		}
	}
	return root
}

var keyLine = lazyregexp.New(`^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$`)

// keysByLine returns the keys and values of invalid front matter. It reads the front matter line by line, like tools
// that only split lines. A value that isn't valid YAML becomes a string. It returns nil if a line doesn't belong to a
// key, or if a value that isn't valid YAML spans several lines or contains no letters.
func keysByLine(text string) *tree.Node {
	root := EmptyMap()
	var chunk []string
	valid := true
	flush := func() {
		if len(chunk) == 0 {
			return
		}
		read, fault := parsed(tree.YAML([]byte(strings.Join(chunk, "\n")+"\n"), 1))
		if m := keyLine.FindStringSubmatch(chunk[0]); fault == nil && read.Kind == tree.Map {
			root.Members = append(root.Members, read.Members...)
		} else if valid = valid && len(chunk) == 1 && strings.ContainsFunc(m[2], unicode.IsLetter); valid {
			root.Members = append(root.Members, tree.Member{Key: m[1], Value: TextNode(strings.TrimSpace(m[2]))})
		}
		chunk = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t")
		switch {
		case line == "", line[0] == '#':
		case keyLine.MatchString(line):
			flush()
			chunk = []string{line}
		case len(chunk) > 0 && (line[0] == ' ' || line[0] == '\t' || line[0] == '-'):
			chunk = append(chunk, line)
		default:
			return nil
		}
	}
	if flush(); !valid {
		return nil
	}
	return root
}

// looseYAML returns the data in text, which is YAML. If the strict parser rejects text, looseYAML tries a lenient
// parser, which allows tags, anchors, and duplicate keys. It returns the strict parser's error if the lenient parser
// also rejects text, or if text may be an attack that uses aliases.
func looseYAML(text string) (*tree.Node, error) {
	root, fault := parsed(tree.YAML([]byte(text), 1))
	if fault == nil {
		return root, nil
	}
	if untagged := foreignTags.ReplaceAllString(text, `""`); untagged != text {
		return looseYAML(untagged)
	}
	if len(text) > 1<<20 || strings.Count(text, "*") > 200 {
		// The size of a document with aliases of aliases can grow exponentially.
		return nil, fault
	}
	var value any
	if err := decodeYAML(text, &value); err != nil {
		return nil, fault
	}
	return nodeOf(value, 0), nil
}

// foreignTags matches MkDocs and Python YAML tags in settings.
var foreignTags = lazyregexp.New(`!!python/\S+(?: ''| "")?|!ENV\s+(?:\[[^\]\n]*\]|\S+)|!relative\s+\S+|!relative`)

// decodeYAML decodes YAML into Go values, preserving the order of maps.
func decodeYAML(text string, value *any) error {
	return tree.Guarded(func() error {
		return yaml.NewDecoder(bytes.NewReader([]byte(text)), yaml.UseOrderedMap(), yaml.AllowDuplicateMapKey()).Decode(value)
	})
}

// nodeOf converts a decoded value to a tree. It omits values that are nested more than tree.MaxDepth levels deep.
func nodeOf(value any, depth int) *tree.Node {
	n := &tree.Node{}
	if depth > tree.MaxDepth {
		return n
	}
	switch v := value.(type) {
	case string:
		n.Kind, n.Text = tree.Text, v
	case bool:
		n.Kind, n.Text = tree.Bool, strconv.FormatBool(v)
	case yaml.MapSlice:
		n.Kind = tree.Map
		for _, item := range v {
			n.Members = append(n.Members, tree.Member{Key: fmt.Sprint(item.Key), Value: nodeOf(item.Value, depth+1)})
		}
	case []any:
		n.Kind = tree.List
		for _, item := range v {
			n.Items = append(n.Items, nodeOf(item, depth+1))
		}
	case nil:
	default:
		form, err := json.Marshal(v)
		if n.Kind, n.Text = tree.Number, string(form); err != nil || len(form) > 0 && form[0] == '"' {
			n.Kind, n.Text = tree.Text, strings.Trim(string(form), `"`)
		}
		n.Number = n.Text
	}
	return n
}

// Quoted returns s as a YAML scalar. The scalar is plain if that is safe, and otherwise a JSON string, which is valid
// YAML.
func Quoted(s string) string {
	if plainYAML.MatchString(s) && s == strings.TrimSpace(s) && !yamlWords.MatchString(s) {
		return s
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	// Encoding a string can't fail.
	_ = encoder.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// plainYAML matches strings that don't need quotes in YAML unless yamlWords also matches. It is deliberately strict.
var (
	plainYAML = lazyregexp.New(`^(?:[A-Za-z]|/[\w .()+?!';/-])[\w .()+?!';/-]*$`)
	yamlWords = lazyregexp.New(`(?i)^(?:true|false|yes|no|on|off|y|n|null)$`)
)

// YamlValue returns n as YAML in flow style, for use after a key.
func YamlValue(n *tree.Node) string {
	var parts []string
	for _, item := range n.Items {
		parts = append(parts, YamlValue(item))
	}
	for _, m := range n.Members {
		parts = append(parts, Quoted(m.Key)+": "+YamlValue(m.Value))
	}
	switch {
	case n.Kind == tree.List:
		return "[" + strings.Join(parts, ", ") + "]"
	case n.Kind == tree.Map:
		return "{" + strings.Join(parts, ", ") + "}"
	case n.Kind == tree.Bool, n.Kind == tree.Number && n.Number != "":
		return Fallback(n.Number, n.Text)
	case n.Kind == tree.Null:
		return "null"
	}
	return Quoted(EscapeBraces(n.Text))
}

// EscapeBraces returns s with double braces escaped, so that they don't start a fact expression.
func EscapeBraces(s string) string {
	return strings.ReplaceAll(s, "{{", `\{{`)
}
