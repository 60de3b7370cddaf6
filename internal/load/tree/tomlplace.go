package tree

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"vitrine/internal/site"
)

// place contains the positions of a key and its value.
type place struct {
	key, value site.Pos
}

// tomlPlacer finds the positions of keys and values in a TOML document. It uses the syntax tree of a second library,
// because the decoding library, which has better messages, doesn't provide positions.
type tomlPlacer struct {
	src    []byte
	cursor cursor
	// counts contains the number of elements that were found in each array of tables.
	counts map[string]int
	// places maps paths to positions, with [n] for the elements of lists.
	places map[string]place
}

func placesTOML(src []byte) (map[string]place, error) {
	p := tomlPlacer{src: src, counts: map[string]int{}, places: map[string]place{}}
	p.cursor = cursor{src: src, pos: site.Pos{Line: 1, Col: 1}}
	var parser unstable.Parser
	parser.Reset(src)
	table := ""
	for parser.NextExpression() {
		switch e := parser.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = p.header(e)
		case unstable.KeyValue:
			p.keyValue(table, e)
		}
	}
	return p.places, parser.Error()
}

// header records the position of [table] or [[array of tables]], and returns the path of the table or the new element.
func (p *tomlPlacer) header(e *unstable.Node) (path string) {
	var at site.Pos
	for key := e.Key(); key.Next(); {
		if path == "" {
			opening := bytes.LastIndexByte(p.src[:key.Node().Raw.Offset], '[')
			if e.Kind == unstable.ArrayTable {
				opening--
			}
			at = p.cursor.to(opening)
		}
		path = join(p.last(path), string(key.Node().Data))
		p.note(path, at, at)
	}
	if e.Kind == unstable.ArrayTable {
		p.counts[path]++
		path = p.last(path)
		p.note(path, at, at)
	}
	return path
}

// last returns the path of the most recently found element if path is an array of tables, or path otherwise.
func (p *tomlPlacer) last(path string) string {
	if n := p.counts[path]; n > 0 {
		return element(path, n-1)
	}
	return path
}

func (p *tomlPlacer) note(path string, key, value site.Pos) {
	if _, known := p.places[path]; !known {
		p.places[path] = place{key, value}
	}
}

// keyValue records the positions of a key and its value in the table at path. All parts of a dotted key have the
// position of the first part.
func (p *tomlPlacer) keyValue(path string, e *unstable.Node) {
	var paths []string
	var at site.Pos
	end := 0
	for key := e.Key(); key.Next(); {
		raw := key.Node().Raw
		if paths == nil {
			at = p.cursor.to(int(raw.Offset))
		}
		end = int(raw.Offset + raw.Length)
		path = join(path, string(key.Node().Data))
		paths = append(paths, path)
	}
	for strings.IndexByte("= \t", p.src[end]) >= 0 {
		end++
	}
	value := p.cursor.to(end)
	for _, path := range paths {
		p.note(path, at, value)
	}
	p.inside(path, e.Value())
}

// inside records the positions of the contents of a list or an inline table. A nested list has no position in the
// syntax tree, so the outer list's position is used instead.
func (p *tomlPlacer) inside(path string, value *unstable.Node) {
	switch value.Kind {
	case unstable.Array:
		i := 0
		for items := value.Children(); items.Next(); i++ {
			if item := items.Node(); item.Kind != unstable.Array {
				at := p.cursor.to(int(item.Raw.Offset))
				p.note(element(path, i), at, at)
			}
			p.inside(element(path, i), items.Node())
		}
	case unstable.InlineTable:
		for members := value.Children(); members.Next(); {
			p.keyValue(path, members.Node())
		}
	}
}

// join and element build paths, such as .a.b and .a.b[0].
func join(path, name string) string {
	return path + "." + name
}

func element(path string, i int) string {
	return path + "[" + strconv.Itoa(i) + "]"
}

// deepTOML finds the first position at which brackets or the dots of a key are nested too deeply, because the decoder's
// time and memory grow with the square of the depth. It considers only characters outside strings and comments.
func deepTOML(src string) (offset int, deep bool) {
	brackets, dots := 0, 0
	for offset < len(src) {
		switch src[offset] {
		case '"', '\'':
			offset = afterText(src, offset)
			continue
		case '#':
			for offset < len(src) && src[offset] != '\n' {
				offset++
			}
			continue
		case '[', '{':
			brackets++
		case ']', '}':
			brackets--
		case '.':
			dots++
		case '=', ',', '\n':
			dots = 0
		}
		if brackets > MaxDepth || dots > MaxDepth {
			return offset, true
		}
		offset++
	}
	return 0, false
}

// afterText returns the offset of the end of the string that starts at offset, or of the end of the line if a
// single-line string isn't closed. It supports TOML's four kinds of strings.
func afterText(src string, offset int) int {
	quote := src[offset : offset+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(src[offset:], triple) {
		quote = triple
	}
	offset += len(quote)
	for offset < len(src) {
		switch {
		case src[offset] == '\\' && quote[0] == '"':
			offset = min(offset+2, len(src))
			continue
		case strings.HasPrefix(src[offset:], quote):
			offset += len(quote)
			// Up to two quotes may precede the closing three.
			for len(quote) == 3 && strings.HasPrefix(src[offset:], quote[:1]) {
				offset++
			}
			return offset
		case src[offset] == '\n' && len(quote) == 1:
			return offset
		}
		offset++
	}
	return offset
}
