package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// JSON returns the tree as a JSON document with members in the order written, numbers in their written form, two-space
// indentation, unescaped non-ASCII characters, and a final newline. It returns an error if a number isn't finite,
// because JSON can't represent such a number.
func (n *Node) JSON() ([]byte, error) {
	var compact, indented bytes.Buffer
	if err := n.encode(&compact); err != nil {
		return nil, err
	}
	if err := json.Indent(&indented, compact.Bytes(), "", "  "); err != nil {
		return nil, fmt.Errorf("indenting JSON: %w", err)
	}
	indented.WriteByte('\n')
	return indented.Bytes(), nil
}

func (n *Node) encode(w *bytes.Buffer) error {
	switch n.Kind {
	case Null:
		w.WriteString("null")
	case Bool:
		w.WriteString(n.Text)
	case Number:
		if n.Number == "" {
			return errors.New("a number is not finite")
		}
		w.WriteString(n.Number)
	case Text:
		return encodeText(w, n.Text)
	case List:
		return n.encodeList(w)
	case Map:
		return n.encodeMap(w)
	}
	return nil
}

func (n *Node) encodeList(w *bytes.Buffer) error {
	w.WriteByte('[')
	for i, item := range n.Items {
		if i > 0 {
			w.WriteByte(',')
		}
		if err := item.encode(w); err != nil {
			return err
		}
	}
	w.WriteByte(']')
	return nil
}

func (n *Node) encodeMap(w *bytes.Buffer) error {
	w.WriteByte('{')
	for i, m := range n.Members {
		if i > 0 {
			w.WriteByte(',')
		}
		if err := encodeText(w, m.Key); err != nil {
			return err
		}
		w.WriteByte(':')
		if err := m.Value.encode(w); err != nil {
			return err
		}
	}
	w.WriteByte('}')
	return nil
}

// encodeText writes s as a JSON string. It doesn't escape <, >, and &, because the document is never inside HTML.
func encodeText(w *bytes.Buffer, s string) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return fmt.Errorf("encoding a string: %w", err)
	}
	w.Truncate(w.Len() - 1) // Encode's newline
	return nil
}

// Plain returns the tree as plain Go values for templates: nil, bool, int, float64, string, []any, and map[string]any.
// A number that isn't finite becomes nil.
func (n *Node) Plain() any {
	switch n.Kind {
	case Bool:
		return n.Text == "true"
	case Number:
		return n.plainNumber()
	case Text:
		return n.Text
	case List:
		list := make([]any, len(n.Items))
		for i, item := range n.Items {
			list[i] = item.Plain()
		}
		return list
	case Map:
		m := make(map[string]any, len(n.Members))
		for _, member := range n.Members {
			m[member.Key] = member.Value.Plain()
		}
		return m
	default:
		return nil
	}
}

func (n *Node) plainNumber() any {
	var number json.Number = json.Number(n.Number)
	if i, err := number.Int64(); err == nil {
		return int(i)
	}
	f, err := number.Float64()
	if err != nil {
		return nil
	}
	return f
}
