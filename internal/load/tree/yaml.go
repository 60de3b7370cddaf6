package tree

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"vitrine/internal/site"
)

// maxKeys is the maximum number of keys in a document. The parser's time grows with the square of the number of keys.
const maxKeys = 10_000

// keysText returns the message for a document with more than maxKeys keys.
func keysText() string {
	return fmt.Sprintf("the file has more than %d keys; remove some keys", maxKeys)
}

// Messages for YAML that neither YAML nor Large accepts.
const (
	aliasText  = "aliases (*) are not supported; write the value out, or quote a string that begins with *"
	mergeText  = "merge keys (<<) are not supported; write the members out"
	secondText = "a second document begins here, but a file can contain only one; remove one of the two"
)

// maxRefused is the number of faults after which guard stops.
const maxRefused = 100

// YAML parses a YAML document that starts on line first of its file. Anchors, aliases, merge keys, tags, directives,
// and additional documents are reported as faults, because each fact must be readable in one place, without following
// references. root is nil if there are faults. For an empty document, it is a Null.
//
// Only this file uses goccy's YAML library.
func YAML(src []byte, first int) (root *Node, faults []Fault) {
	faults = CheckText(src)
	if faults == nil {
		src, faults = unixLines(src)
	}
	if faults == nil {
		root, faults = parseYAML(string(src))
	}
	if faults == nil {
		faults = verify(root, 0, nil)
	}
	if faults != nil {
		root = nil
	}
	return shift(root, faults, first-1)
}

// errParserFailed means that a parser panicked.
var errParserFailed = errors.New("the parser failed")

// Guarded calls parse and returns its error, or another error if parse panics. The YAML and TOML libraries have
// panicked on invalid documents, and one invalid file must not end the program. parse must call only such a library, so
// that Guarded doesn't hide a panic in Vitrine's own code.
func Guarded(parse func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errParserFailed, r)
		}
	}()
	return parse()
}

func parseYAML(src string) (*Node, []Fault) {
	unreadable := []Fault{{site.Pos{Line: 1, Col: 1}, "Vitrine cannot read this YAML document; simplify it"}}
	lines := strings.Split(src, "\n")
	size := measure(lines)
	var tokens token.Tokens
	err := Guarded(func() error {
		tokens = lexer.Tokenize(src)
		return nil
	})
	if err != nil {
		return nil, unreadable
	}
	if faults := guard(tokens); faults != nil {
		if conflict, ok := conflictFault(lines); ok {
			faults = []Fault{conflict}
		}
		return nil, size.clampAll(faults)
	}
	var file *ast.File
	err = Guarded(func() (err error) {
		file, err = parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
		return err
	})
	if errors.Is(err, errParserFailed) {
		return nil, unreadable
	}
	if err != nil {
		return nil, size.clampAll([]Fault{syntaxFault(err, lines)})
	}
	c := yamlConverter{lines: lines, size: size}
	return c.document(file), c.faults
}

// guard reports tokens that must not reach the parser: unsupported syntax, such as tags and anchors, and too many keys
// or nested levels. The parser itself recurses without a limit.
func guard(tokens token.Tokens) []Fault {
	var faults []Fault
	refuse := func(t *token.Token, text string) {
		faults = append(faults, Fault{tokenPos(t), text})
	}
	var nesting nesting
	keys, directives := 0, false
	for i, t := range tokens {
		switch t.Type {
		case token.AnchorType:
			refuse(t, "anchors (&) are not supported; write the value out, or quote a string that begins with &")
		case token.AliasType:
			refuse(t, aliasText)
		case token.MergeKeyType:
			refuse(t, mergeText)
		case token.TagType:
			refuse(t, "tags (!) are not supported; remove the tag, or quote a string that begins with !")
		case token.DirectiveType:
			directives = true
			refuse(t, "directives (%) are not supported; remove the directive, or quote a string that begins with %")
		case token.DocumentHeaderType:
			if !directives && hasContent(tokens[:i]) {
				refuse(t, secondText)
			}
			directives = false
		case token.MappingValueType:
			keys++
		}
		if len(faults) == maxRefused {
			return faults
		}
		if keys > maxKeys {
			return append(faults, Fault{tokenPos(t), keysText()})
		}
		if nesting.enter(t) > MaxDepth {
			return append(faults, tooDeep(tokenPos(t), MaxDepth))
		}
	}
	return faults
}

func hasContent(tokens token.Tokens) bool {
	for _, t := range tokens {
		if t.Type != token.CommentType {
			return true
		}
	}
	return false
}

// nesting tracks the nesting depth of lists and maps.
type nesting struct {
	blocks []block
	flow   int
}

// block is an indented list or map, identified by its column.
type block struct {
	column int
	list   bool
}

// enter processes the next token and returns the nesting depth at that token.
func (n *nesting) enter(t *token.Token) int {
	switch t.Type {
	case token.MappingStartType, token.SequenceStartType:
		n.flow++
	case token.MappingEndType, token.SequenceEndType:
		n.flow--
	case token.SequenceEntryType, token.MappingKeyType:
		n.push(block{t.Position.Column, t.Type == token.SequenceEntryType})
	case token.MappingValueType:
		if t.Prev != nil {
			n.push(block{t.Prev.Position.Column, false})
		}
	}
	return len(n.blocks) + max(n.flow, 0)
}

func (n *nesting) push(b block) {
	if n.flow > 0 {
		return
	}
	for len(n.blocks) > 0 {
		top := n.blocks[len(n.blocks)-1]
		if top == b {
			return
		}
		if top.column < b.column || top.column == b.column && !top.list {
			break
		}
		n.blocks = n.blocks[:len(n.blocks)-1]
	}
	n.blocks = append(n.blocks, b)
}

func tokenPos(t *token.Token) site.Pos {
	if t == nil || t.Position == nil {
		return site.Pos{Line: 1, Col: 1}
	}
	return site.Pos{Line: max(t.Position.Line, 1), Col: max(t.Position.Column, 1)}
}

// yamlConverter converts the library's syntax tree to Nodes and collects faults.
type yamlConverter struct {
	lines  []string
	size   extent
	faults []Fault
}

func (c *yamlConverter) fault(at site.Pos, text string) *Node {
	c.faults = append(c.faults, Fault{at, text})
	return &Node{Pos: at}
}

func (c *yamlConverter) document(file *ast.File) *Node {
	var root *Node
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		if root != nil {
			return c.fault(c.pos(doc.Body.GetToken()), secondText)
		}
		root = c.node(doc.Body)
	}
	if root != nil {
		return root
	}
	// The parser drops some broken documents without an error.
	for i, line := range c.lines {
		text := strings.TrimLeft(line, " \t")
		if text != "" && text[0] != '#' && text != "---" && text != "..." {
			return c.fault(site.Pos{Line: i + 1, Col: 1}, "not valid YAML: this line cannot be read; check the indentation and the quotes")
		}
	}
	return &Node{Kind: Null, Pos: site.Pos{Line: 1, Col: 1}}
}

func (c *yamlConverter) node(n ast.Node) *Node {
	switch n := n.(type) {
	case *ast.MappingNode:
		return c.mapping(n)
	case *ast.MappingValueNode:
		m := c.member(n)
		return &Node{Kind: Map, Pos: m.Pos, Members: []Member{m}}
	case *ast.SequenceNode:
		list := &Node{Kind: List, Pos: c.pos(n.Start), Items: make([]*Node, len(n.Values))}
		for i, value := range n.Values {
			list.Items[i] = c.node(value)
		}
		return list
	case *ast.LiteralNode:
		return &Node{Kind: Text, Pos: c.pos(n.Start), Text: n.Value.Value, Quoted: true}
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
		return c.scalar(n.GetToken())
	case nil:
		return c.fault(site.Pos{Line: 1, Col: 1}, "not valid YAML: a value is missing")
	default:
		return c.fault(c.pos(n.GetToken()), "Vitrine cannot read this part of the YAML document; simplify it")
	}
}

func (c *yamlConverter) mapping(n *ast.MappingNode) *Node {
	m := &Node{Kind: Map, Pos: c.pos(n.Start), Members: make([]Member, len(n.Values))}
	for i, value := range n.Values {
		m.Members[i] = c.member(value)
	}
	// The library's token for a block map is the map's first colon, so use the position of the first key.
	if !n.IsFlowStyle && len(m.Members) > 0 {
		m.Pos = m.Members[0].Pos
	}
	return m
}

func (c *yamlConverter) member(n *ast.MappingValueNode) Member {
	key := n.Key.GetToken()
	at := c.pos(key)
	if _, explicit := n.Key.(*ast.MappingKeyNode); explicit {
		c.fault(at, `keys written with "?" are not supported; write "key: value"`)
		return Member{Pos: at, Value: &Node{Pos: at}}
	}
	m := Member{Key: key.Value, Pos: at, Value: &Node{Kind: Null, Pos: at}}
	if n.Value != nil {
		m.Value = c.node(n.Value)
	}
	if key.Type != token.SingleQuoteType && key.Type != token.DoubleQuoteType {
		m.Odd = plain(key.Value).Kind != Text
		m.Bare = m.Value.Kind == Null && c.bare(at, key.Value)
		c.hashed(key.Value, m)
	}
	return m
}

// bare reports whether a plain key in a flow map has no colon: a comma or a brace follows the key.
func (c *yamlConverter) bare(at site.Pos, key string) bool {
	rest, ok := strings.CutPrefix(string([]rune(c.lines[at.Line-1])[at.Col-1:]), key)
	rest = strings.TrimLeft(rest, " \t")
	return ok && rest != "" && (rest[0] == ',' || rest[0] == '}')
}

func (c *yamlConverter) scalar(t *token.Token) *Node {
	if t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType {
		return &Node{Kind: Text, Pos: c.pos(t), Text: t.Value, Quoted: true}
	}
	if t.Type == token.ImplicitNullType {
		return &Node{Kind: Null, Pos: c.pos(t)}
	}
	n := plain(t.Value)
	n.Pos = c.pos(t)
	if t.Type == token.StringType && t.Prev != nil && strings.Contains(strings.TrimSpace(t.Origin), "\n") {
		n.Pos = c.after(t.Prev)
	}
	return n
}

// after returns the position of the first nonblank character after an indicator such as ":" or "-". For plain multiline
// strings, it replaces the position from the library, which is wrong.
func (c *yamlConverter) after(indicator *token.Token) site.Pos {
	at := c.pos(indicator)
	for skip := at.Col; at.Line <= len(c.lines); at.Line, skip = at.Line+1, 0 {
		for i, r := range []rune(c.lines[at.Line-1]) {
			if i >= skip && r != ' ' && r != '\t' {
				return site.Pos{Line: at.Line, Col: i + 1}
			}
		}
	}
	return c.pos(indicator)
}

// pos returns the position of a token. The library places some tokens past the end of their line. For these tokens, pos
// returns the position of the end of the line.
func (c *yamlConverter) pos(t *token.Token) site.Pos {
	return c.size.clamp(tokenPos(t))
}

// syntaxFault converts a parser error to a fault with a single-line message.
func syntaxFault(err error, lines []string) Fault {
	if conflict, ok := conflictFault(lines); ok {
		return conflict
	}
	var syntax *yaml.SyntaxError
	if !errors.As(err, &syntax) {
		return Fault{site.Pos{Line: 1, Col: 1}, "not valid YAML: " + firstLine(err.Error())}
	}
	at := tokenPos(syntax.Token)
	if slip, ok := slipFault(lines, at, syntax.Message); ok {
		return slip
	}
	return Fault{at, "not valid YAML: " + explain(syntax.Message)}
}
