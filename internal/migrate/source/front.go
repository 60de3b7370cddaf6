package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"vitrine/internal/load/tree"
)

// SplitFront takes the front matter off a page: YAML between "---", TOML between
// "+++", JSON in braces.
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
	if mark != "---" && mark != "+++" {
		return root, text, nil
	}
	data, found, line := "", true, ""
	for {
		if line, rest, found = strings.Cut(rest, "\n"); strings.TrimRight(line, " \t") == mark || mark == "---" && strings.TrimRight(line, " \t") == "..." {
			break
		}
		if !found {
			// A line of "---" alone is a rule, not front matter.
			return root, text, nil
		}
		data += line + "\n"
	}
	var read *tree.Node
	if mark == "+++" {
		read, err = parsed(tree.TOML([]byte(data), 2))
	} else {
		read, err = looseYAML(data)
	}
	return OrMap(read), rest, err
}

// looseYAML reads YAML as other tools do, who allow what we do not: tags, anchors, and
// a key twice. What is plain keeps its written form.
func looseYAML(text string) (*tree.Node, error) {
	root, fault := parsed(tree.YAML([]byte(text), 1))
	if fault == nil {
		return root, nil
	}
	if untagged := foreignTags.ReplaceAllString(text, `""`); untagged != text {
		return looseYAML(untagged)
	}
	if len(text) > 1<<20 || strings.Count(text, "*") > 200 {
		// Aliases of aliases grow without bound.
		return nil, fault
	}
	var value any
	if err := decodeYAML(text, &value); err != nil {
		return nil, fault
	}
	return nodeOf(value, 0), nil
}

// foreignTags are what settings say to Python.
var foreignTags = regexp.MustCompile(`!!python/\S+(?: ''| "")?|!ENV\s+(?:\[[^\]\n]*\]|\S+)|!relative\s+\S+|!relative`)

// decodeYAML keeps a panic of the YAML module over hostile text to the file; none of our own code runs in it.
func decodeYAML(text string, value *any) (err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("not valid YAML")
		}
	}()
	return yaml.NewDecoder(bytes.NewReader([]byte(text)), yaml.UseOrderedMap(), yaml.AllowDuplicateMapKey()).Decode(value)
}

// nodeOf makes a tree of plain values.
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

// Quoted writes a text as YAML reads it back: plain where that is safe, else as a
// string of JSON, which is one of YAML.
func Quoted(s string) string {
	if plainYAML.MatchString(s) && s == strings.TrimSpace(s) && !yamlWords.MatchString(s) {
		return s
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	// A string always has a form in JSON.
	_ = encoder.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// plainYAML is a text that is itself without quotes, but for YAML's words. It is asked
// rarely enough to be on the safe side.
var (
	plainYAML = regexp.MustCompile(`^(?:[A-Za-z]|/[\w .()+?!';/-])[\w .()+?!';/-]*$`)
	yamlWords = regexp.MustCompile(`(?i)^(?:true|false|yes|no|on|off|y|n|null)$`)
)

// YamlValue writes a value below a key, in flow form where it is no scalar: what is
// carried over has to be right, not nice.
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

// EscapeBraces keeps two braces from naming a fact.
func EscapeBraces(s string) string {
	return strings.ReplaceAll(s, "{{", `\{{`)
}
