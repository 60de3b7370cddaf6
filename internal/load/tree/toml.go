package tree

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"vitrine/internal/site"
)

// TOML parses a TOML document that starts on line first of its file. Dates and times become strings in the format of
// YAML dates. The tree is nil if there are faults.
func TOML(src []byte, first int) (*Node, []Fault) {
	faults := CheckText(src)
	if faults == nil {
		src, faults = unixLines(src)
	}
	if faults != nil {
		return shift(nil, faults, first-1)
	}
	root, faults := parseTOML(string(src))
	if faults == nil {
		faults = verify(root, 0, nil)
	}
	if faults != nil {
		root = nil
	}
	return shift(root, faults, first-1)
}

func parseTOML(src string) (*Node, []Fault) {
	if at, deep := deepTOML(src); deep {
		return nil, []Fault{tooDeep(Position([]byte(src), at), MaxDepth)}
	}
	var document map[string]any
	err := Guarded(func() (err error) {
		_, err = toml.Decode(src, &document)
		return err
	})
	if errors.Is(err, errParserFailed) {
		return nil, []Fault{{site.Pos{Line: 1, Col: 1}, "Vitrine cannot read this TOML document; simplify it"}}
	}
	if err != nil {
		return nil, []Fault{tomlFault(src, err)}
	}
	var places map[string]place
	err = Guarded(func() (err error) {
		places, err = placesTOML([]byte(src))
		return err
	})
	if err != nil {
		return nil, []Fault{{site.Pos{Line: 1, Col: 1}, "not valid TOML: " + firstLine(err.Error())}}
	}
	return tomlConverter(places).table(document, "", site.Pos{Line: 1, Col: 1}), nil
}

// tomlConverter converts decoded TOML to a tree. It maps each value's path to the positions of the value and its key.
type tomlConverter map[string]place

func (c tomlConverter) table(table map[string]any, path string, at site.Pos) *Node {
	m := &Node{Kind: Map, Pos: at, Members: make([]Member, 0, len(table))}
	for name, value := range table {
		p, known := c[join(path, name)]
		if !known {
			p = place{at, at}
		}
		m.Members = append(m.Members, Member{Key: name, Pos: p.key, Value: c.value(value, join(path, name), p.value)})
	}
	// Sort the members by position, because the decoder doesn't preserve their order.
	slices.SortFunc(m.Members, func(a, b Member) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Key, b.Key))
	})
	return m
}

func (c tomlConverter) value(v any, path string, at site.Pos) *Node {
	switch v := v.(type) {
	case map[string]any:
		return c.table(v, path, at)
	case []map[string]any:
		list := &Node{Kind: List, Pos: at}
		for i, item := range v {
			list.Items = append(list.Items, c.item(item, path, i, at))
		}
		return list
	case []any:
		list := &Node{Kind: List, Pos: at}
		for i, item := range v {
			list.Items = append(list.Items, c.item(item, path, i, at))
		}
		return list
	case string:
		return &Node{Kind: Text, Pos: at, Text: v, Quoted: true}
	case bool:
		return &Node{Kind: Bool, Pos: at, Text: strconv.FormatBool(v)}
	case int64:
		text := strconv.FormatInt(v, 10)
		return &Node{Kind: Number, Pos: at, Text: text, Number: text}
	case float64:
		text := strconv.FormatFloat(v, 'f', -1, 64)
		return &Node{Kind: Number, Pos: at, Text: text, Number: finiteFloat(v, text)}
	case time.Time:
		return &Node{Kind: Text, Pos: at, Text: tomlTime(v)}
	default:
		return &Node{Kind: Text, Pos: at, Text: fmt.Sprint(v)}
	}
}

func (c tomlConverter) item(v any, path string, i int, at site.Pos) *Node {
	path = element(path, i)
	if p, known := c[path]; known {
		at = p.value
	}
	return c.value(v, path, at)
}

func finiteFloat(v float64, text string) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return ""
	}
	return text
}

// tomlTime returns a TOML date or time in a format that is also valid in YAML front matter. The library uses the name
// of the time zone to identify dates and times without an offset.
func tomlTime(t time.Time) string {
	switch t.Location().String() {
	case "date-local":
		return t.Format(time.DateOnly)
	case "datetime-local":
		return t.Format(time.DateTime)
	case "time-local":
		return t.Format(time.TimeOnly)
	default:
		return t.Format(time.RFC3339Nano)
	}
}

func tomlFault(src string, err error) Fault {
	var parse toml.ParseError
	if !errors.As(err, &parse) {
		return Fault{site.Pos{Line: 1, Col: 1}, "not valid TOML: " + firstLine(err.Error())}
	}
	at := Position([]byte(src), parse.Position.Start)
	return Fault{at, "not valid TOML: " + strings.TrimSuffix(firstLine(parse.Message), ".")}
}
