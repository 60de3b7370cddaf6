package tree

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"vitrine/internal/site"
)

// maxLargeDepth is the maximum nesting depth of lists and maps in documents read by Large.
const maxLargeDepth = 256

// Large parses a JSON or YAML document that a program may have generated, such as an OpenAPI description. If the document
// exceeds the limits of JSON and YAML, Large parses it without a limit on the number of keys, and with any characters in
// strings. Like JSON and YAML, it returns no tree if there are faults.
func Large(src []byte) (*Node, []Fault) {
	parse := YAML
	if isJSON(src) {
		parse = JSON
	}
	if root, faults := parse(src, 1); !slices.ContainsFunc(faults, isLimit) {
		return root, faults
	}
	return unlimited(src)
}

func isJSON(src []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(src), []byte("{")) }

// isLimit reports whether a fault is that a document has too many keys or is nested too deeply.
func isLimit(f Fault) bool {
	return f.Text == keysText() || f.Text == tooDeep(f.Pos, MaxDepth).Text
}

// unlimited parses the text of a document that exceeds the limits.
func unlimited(src []byte) (root *Node, faults []Fault) {
	if isJSON(src) {
		root, faults = parseJSON(src, maxLargeDepth)
	} else {
		root, faults = largeYAML(src)
	}
	if faults == nil {
		faults = verifyAllKeys(root, nil)
	}
	if faults != nil {
		return nil, faults
	}
	return root, nil
}

func largeYAML(src []byte) (*Node, []Fault) {
	var document, second yaml.Node
	err := Guarded(func() error {
		decoder := yaml.NewDecoder(bytes.NewReader(src))
		if err := decoder.Decode(&document); err != nil {
			return err
		}
		return decoder.Decode(&second)
	})
	switch {
	case len(second.Content) > 0:
		return nil, []Fault{{largePos(second.Content[0]), secondText}}
	case !errors.Is(err, io.EOF):
		return nil, []Fault{largeFault(err)}
	case len(document.Content) == 0:
		return &Node{Kind: Null, Pos: site.Pos{Line: 1, Col: 1}}, nil
	}
	var c largeConverter
	return c.node(document.Content[0], 0), c.faults
}

// verifyAllKeys is verifyKeys for n and all maps in it.
func verifyAllKeys(n *Node, faults []Fault) []Fault {
	faults = verifyKeys(n, faults)
	for _, item := range n.Items {
		faults = verifyAllKeys(item, faults)
	}
	for _, m := range n.Members {
		faults = verifyAllKeys(m.Value, faults)
	}
	return faults
}

// largeFault converts an error of the library, such as "yaml: line 2: did not find expected key".
func largeFault(err error) Fault {
	message := strings.TrimPrefix(firstLine(err.Error()), "yaml: ")
	at := site.Pos{Line: 1, Col: 1}
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		number, text, _ := strings.Cut(rest, ": ")
		if line, err := strconv.Atoi(number); err == nil && line > 0 {
			at.Line, message = line, text
		}
	}
	return Fault{at, "not valid YAML: " + message}
}

// largeConverter converts the library's nodes and collects faults.
type largeConverter struct{ faults []Fault }

func (c *largeConverter) refuse(n *yaml.Node, text string) *Node {
	c.faults = append(c.faults, Fault{largePos(n), text})
	return &Node{Pos: largePos(n)}
}

func (c *largeConverter) node(n *yaml.Node, depth int) *Node {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	switch {
	case n.Kind == yaml.AliasNode:
		return c.refuse(n, aliasText)
	case depth > maxLargeDepth:
		return c.refuse(n, tooDeep(largePos(n), maxLargeDepth).Text)
	case n.Kind == yaml.SequenceNode:
		list := &Node{Kind: List, Pos: largePos(n), Items: make([]*Node, len(n.Content))}
		for i, item := range n.Content {
			list.Items[i] = c.node(item, depth+1)
		}
		return list
	case n.Kind == yaml.MappingNode:
		return c.mapping(n, depth)
	case n.Style&quoted != 0:
		return &Node{Kind: Text, Pos: largePos(n), Text: n.Value, Quoted: true}
	default:
		scalar := plain(n.Value)
		scalar.Pos = largePos(n)
		return scalar
	}
}

func (c *largeConverter) mapping(n *yaml.Node, depth int) *Node {
	m := &Node{Kind: Map, Pos: largePos(n), Members: make([]Member, 0, len(n.Content)/2)}
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch key := n.Content[i]; {
		case key.Tag == "!!merge":
			c.refuse(key, mergeText)
		case key.Kind != yaml.ScalarNode:
			c.refuse(key, "this key is not text; write it in quotes")
		default:
			m.Members = append(m.Members, Member{Key: key.Value, Pos: largePos(key), Value: c.node(n.Content[i+1], depth+1)})
		}
	}
	return m
}

func largePos(n *yaml.Node) site.Pos { return site.Pos{Line: n.Line, Col: n.Column} }
