package tree

import (
	"bytes"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"vitrine/internal/site"
)

// maxLargeDepth is the maximum nesting depth of lists and maps in documents read by Large.
const maxLargeDepth = 256

// Large parses a JSON or YAML document without a limit on the number of keys, for documents that programs generate, such
// as OpenAPI descriptions. Like JSON and YAML, it returns no tree if there are faults.
func Large(src []byte) (*Node, []Fault) {
	if faults := CheckText(src); faults != nil {
		return nil, faults
	}
	if bytes.HasPrefix(bytes.TrimSpace(src), []byte("{")) {
		return parseJSON(src, maxLargeDepth)
	}
	var document yaml.Node
	if err := Guarded(func() error { return yaml.Unmarshal(src, &document) }); err != nil {
		return nil, []Fault{largeFault(err)}
	}
	if len(document.Content) == 0 {
		return &Node{Kind: Null, Pos: site.Pos{Line: 1, Col: 1}}, nil
	}
	var c largeConverter
	root := c.node(document.Content[0], 0)
	if faults := verify(root, maxLargeDepth, c.faults); faults != nil {
		return nil, faults
	}
	return root, nil
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

func (c *largeConverter) node(n *yaml.Node, depth int) *Node {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	at := largePos(n)
	switch {
	case n.Kind == yaml.AliasNode:
		c.faults = append(c.faults, Fault{at, aliasText})
		return &Node{Pos: at}
	case depth > maxLargeDepth:
		c.faults = append(c.faults, tooDeep(at, maxLargeDepth))
		return &Node{Pos: at}
	case n.Kind == yaml.SequenceNode:
		list := &Node{Kind: List, Pos: at, Items: make([]*Node, len(n.Content))}
		for i, item := range n.Content {
			list.Items[i] = c.node(item, depth+1)
		}
		return list
	case n.Kind == yaml.MappingNode:
		m := &Node{Kind: Map, Pos: at, Members: make([]Member, 0, len(n.Content)/2)}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m.Members = append(m.Members, Member{Key: n.Content[i].Value, Pos: largePos(n.Content[i]), Value: c.node(n.Content[i+1], depth+1)})
		}
		return m
	case n.Style&quoted != 0:
		return &Node{Kind: Text, Pos: at, Text: n.Value, Quoted: true}
	default:
		scalar := plain(n.Value)
		scalar.Pos = at
		return scalar
	}
}

func largePos(n *yaml.Node) site.Pos { return site.Pos{Line: n.Line, Col: n.Column} }
