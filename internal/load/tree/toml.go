package tree

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"vitrine/internal/site"
)

// TOML reads a TOML document that begins on line first of its file. Dates and
// times become texts in the forms that a date in YAML has. The tree is nil
// where there are faults.
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

func parseTOML(src string) (root *Node, faults []Fault) {
	// As with YAML: a stranger's file never ends the tool.
	defer func() {
		if recover() != nil {
			root, faults = nil, []Fault{{site.Pos{Line: 1, Col: 1}, "not valid TOML that can be read; write it in a plainer way"}}
		}
	}()
	if at, deep := deepTOML(src); deep {
		return nil, []Fault{tooDeep(Position([]byte(src), at))}
	}
	var document map[string]any
	meta, err := toml.Decode(src, &document)
	if err != nil {
		return nil, []Fault{tomlFault(src, err)}
	}
	c := tomlConverter{places: placesTOML(src), order: make(map[string]int, len(meta.Keys()))}
	for i, key := range meta.Keys() {
		if _, known := c.order[key.String()]; !known {
			c.order[key.String()] = i
		}
	}
	return c.table(document, nil, "", site.Pos{Line: 1, Col: 1}), nil
}

// tomlConverter turns decoded TOML into a tree.
type tomlConverter struct {
	// places are by dotted path, with [n] for the elements of lists.
	places map[string]place
	// order is that of keys in the document, by path without [n].
	order map[string]int
}

func (c *tomlConverter) table(table map[string]any, key toml.Key, path string, at site.Pos) *Node {
	m := &Node{Kind: Map, Pos: at, Members: make([]Member, 0, len(table))}
	names := slices.Sorted(maps.Keys(table))
	slices.SortStableFunc(names, func(a, b string) int {
		return c.compare(path, key, a, b)
	})
	for _, name := range names {
		memberPath := join(path, name)
		member := Member{Key: name, Pos: at}
		valueAt := at
		if p, known := c.places[memberPath]; known {
			member.Pos, valueAt = p.key, p.value
		}
		member.Value = c.value(table[name], append(slices.Clip(key), name), memberPath, valueAt)
		m.Members = append(m.Members, member)
	}
	return m
}

// compare orders two members of a table as they are in the document.
func (c *tomlConverter) compare(path string, key toml.Key, a, b string) int {
	atA, atB := c.places[join(path, a)].key, c.places[join(path, b)].key
	return cmp.Or(
		cmp.Compare(atA.Line, atB.Line),
		cmp.Compare(atA.Col, atB.Col),
		cmp.Compare(c.order[append(slices.Clip(key), a).String()], c.order[append(slices.Clip(key), b).String()]),
	)
}

func (c *tomlConverter) value(v any, key toml.Key, path string, at site.Pos) *Node {
	switch v := v.(type) {
	case map[string]any:
		return c.table(v, key, path, at)
	case []map[string]any:
		list := &Node{Kind: List, Pos: at}
		for i, item := range v {
			list.Items = append(list.Items, c.item(item, key, path, i, at))
		}
		return list
	case []any:
		list := &Node{Kind: List, Pos: at}
		for i, item := range v {
			list.Items = append(list.Items, c.item(item, key, path, i, at))
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

func (c *tomlConverter) item(v any, key toml.Key, path string, i int, at site.Pos) *Node {
	path = element(path, i)
	if p, known := c.places[path]; known {
		at = p.value
	}
	return c.value(v, key, path, at)
}

func finiteFloat(v float64, text string) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return ""
	}
	return text
}

// tomlTime writes a TOML date or time in a form that YAML front matter has
// too. The library tells local ones by the name of their zone.
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
