package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"vitrine/internal/site"
)

// JSON parses a strict JSON document that starts on line first of its file. The tree is nil if there are faults.
func JSON(src []byte, first int) (*Node, []Fault) {
	faults := CheckText(src)
	if faults != nil {
		return shift(nil, faults, first-1)
	}
	root, faults := parseJSON(src, MaxDepth)
	if faults == nil {
		faults = verify(root, 0, nil)
	}
	if faults != nil {
		root = nil
	}
	return shift(root, faults, first-1)
}

// parseJSON parses a document whose lists and maps are nested at most deepest levels deep.
func parseJSON(src []byte, deepest int) (*Node, []Fault) {
	p := &jsonParser{decoder: json.NewDecoder(bytes.NewReader(src)), src: src, deepest: deepest}
	p.decoder.UseNumber()
	p.cursor = cursor{src: src, pos: site.Pos{Line: 1, Col: 1}}
	root, err := p.value(0)
	if err == nil {
		err = p.end()
	}
	if err != nil {
		return nil, []Fault{p.fault(err)}
	}
	return root, nil
}

type jsonParser struct {
	decoder *json.Decoder
	src     []byte
	cursor  cursor
	deepest int
	// at is the position of the most recently read token, even if reading the token failed.
	at site.Pos
}

var errTrailing = errors.New("unexpected text after the end of the document; remove it")

// next returns the next token with its position. The decoder reports only the end of the previous token, so next skips
// the separators after it.
func (p *jsonParser) next() (json.Token, site.Pos, error) {
	offset := int(p.decoder.InputOffset())
	for offset < len(p.src) && strings.IndexByte(" \t\r\n,:", p.src[offset]) >= 0 {
		offset++
	}
	p.at = p.cursor.to(offset)
	token, err := p.decoder.Token()
	return token, p.at, err
}

func (p *jsonParser) value(depth int) (*Node, error) {
	token, at, err := p.next()
	if err != nil {
		return nil, err
	}
	node := &Node{Pos: at}
	switch token := token.(type) {
	case json.Delim:
		if depth > p.deepest {
			return nil, errors.New(tooDeep(at, p.deepest).Text)
		}
		return node, p.children(node, token, depth)
	case bool:
		node.Kind, node.Text = Bool, fmt.Sprint(token)
	case json.Number:
		node.Kind, node.Text, node.Number = Number, token.String(), finite(token.String())
	case string:
		node.Kind, node.Text, node.Quoted = Text, token, true
	}
	return node, nil
}

// children reads the items or members of node, up to the end of the list or map that open starts.
func (p *jsonParser) children(node *Node, open json.Delim, depth int) error {
	node.Kind = List
	if open == '{' {
		node.Kind = Map
	}
	for p.decoder.More() {
		var m Member
		if node.Kind == Map {
			key, at, err := p.next()
			if err != nil {
				return err
			}
			// The decoder returns only strings as keys.
			m.Key, m.Pos = key.(string), at
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		if m.Value = value; node.Kind == Map {
			node.Members = append(node.Members, m)
		} else {
			node.Items = append(node.Items, value)
		}
	}
	_, _, err := p.next()
	return err
}

// end returns errTrailing unless only white space follows the document.
func (p *jsonParser) end() error {
	if _, _, err := p.next(); !errors.Is(err, io.EOF) {
		return errTrailing
	}
	return nil
}

// fault converts the error that stopped the parser to a fault at the last token.
func (p *jsonParser) fault(err error) Fault {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Fault{p.at, "not valid JSON: the document ends too early; close every quote, {, and ["}
	case errors.As(err, &syntax):
		return Fault{p.at, "not valid JSON: " + syntax.Error()}
	default:
		return Fault{p.at, err.Error()}
	}
}
