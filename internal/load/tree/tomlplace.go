package tree

import (
	"strconv"
	"strings"

	"vitrine/internal/site"
)

// place is where a key and its value stand.
type place struct {
	key, value site.Pos
}

// tomlScanner finds the places of keys in a valid TOML document, which the
// TOML library does not give. Keys inside an inline table or a list have the
// place of the key that the line begins with.
type tomlScanner struct {
	src    string
	offset int
	cursor cursor
	// table is the path of the table that the scanner is in.
	table string
	// counts is the number of elements, so far, of each array of tables.
	counts map[string]int
	places map[string]place
}

func placesTOML(src string) map[string]place {
	s := tomlScanner{src: src, counts: map[string]int{}, places: map[string]place{}}
	s.cursor = cursor{src: []byte(src), pos: site.Pos{Line: 1, Col: 1}}
	for s.skip(" \t\n"); s.offset < len(s.src); s.skip(" \t\n") {
		switch s.src[s.offset] {
		case '#':
			s.comment()
		case '[':
			s.header()
		default:
			s.assignment()
		}
	}
	return s.places
}

func (s *tomlScanner) skip(set string) {
	for s.offset < len(s.src) && strings.IndexByte(set, s.src[s.offset]) >= 0 {
		s.offset++
	}
}

func (s *tomlScanner) comment() {
	for s.offset < len(s.src) && s.src[s.offset] != '\n' {
		s.offset++
	}
}

// header reads [table] or [[array of tables]].
func (s *tomlScanner) header() {
	at := s.cursor.to(s.offset)
	double := strings.HasPrefix(s.src[s.offset:], "[[")
	s.skip("[ \t")
	path := ""
	parts := s.key()
	for i, part := range parts {
		path = join(path, part)
		s.note(path, at, at)
		if i < len(parts)-1 {
			path = s.last(path)
		}
	}
	if double {
		s.counts[path]++
		path = s.last(path)
		s.note(path, at, at)
	}
	s.table = path
	s.skip("] \t")
}

// last returns path, or its last element so far where it is an array of tables.
func (s *tomlScanner) last(path string) string {
	if n := s.counts[path]; n > 0 {
		return element(path, n-1)
	}
	return path
}

func (s *tomlScanner) note(path string, key, value site.Pos) {
	if _, known := s.places[path]; !known {
		s.places[path] = place{key, value}
	}
}

// assignment reads key = value.
func (s *tomlScanner) assignment() {
	key := s.cursor.to(s.offset)
	path := s.table
	parts := s.key()
	s.skip("= \t")
	value := s.cursor.to(s.offset)
	for _, part := range parts {
		path = join(path, part)
		s.note(path, key, value)
	}
	before := s.offset
	s.value()
	if s.offset == before {
		s.offset++ // nothing valid stands here; go on all the same
	}
}

// key reads a dotted key into its parts.
func (s *tomlScanner) key() []string {
	var parts []string
	for s.offset < len(s.src) {
		s.skip(" \t")
		begin := s.offset
		if begin < len(s.src) && (s.src[begin] == '"' || s.src[begin] == '\'') {
			s.text()
			parts = append(parts, unquoteKey(s.src[begin:s.offset]))
		} else {
			for s.offset < len(s.src) && strings.IndexByte(" \t\n.=]", s.src[s.offset]) < 0 {
				s.offset++
			}
			parts = append(parts, s.src[begin:s.offset])
		}
		s.skip(" \t")
		if s.offset >= len(s.src) || s.src[s.offset] != '.' {
			break
		}
		s.offset++
	}
	return parts
}

func unquoteKey(s string) string {
	if text, err := strconv.Unquote(s); err == nil && s[0] == '"' {
		return text
	}
	return strings.Trim(s, s[:1])
}

// value steps over a value, to the end of its last line.
func (s *tomlScanner) value() {
	for depth := 0; s.offset < len(s.src); {
		switch s.src[s.offset] {
		case '"', '\'':
			s.text()
			continue
		case '#':
			s.comment()
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '\n':
			if depth <= 0 {
				return
			}
		}
		s.offset++
	}
}

// text steps over a string of any of the four forms.
func (s *tomlScanner) text() {
	quote := s.src[s.offset : s.offset+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s.src[s.offset:], triple) {
		quote = triple
	}
	s.offset += len(quote)
	for s.offset < len(s.src) {
		switch {
		case s.src[s.offset] == '\\' && quote[0] == '"':
			s.offset = min(s.offset+2, len(s.src))
			continue
		case strings.HasPrefix(s.src[s.offset:], quote):
			s.offset += len(quote)
			// Up to two quotes may stand before the closing three.
			for len(quote) == 3 && strings.HasPrefix(s.src[s.offset:], quote[:1]) {
				s.offset++
			}
			return
		case s.src[s.offset] == '\n' && len(quote) == 1:
			return
		}
		s.offset++
	}
}

// join and element write paths: a, a.b, a.b[0].
func join(path, name string) string {
	return path + "." + name
}

func element(path string, i int) string {
	return path + "[" + strconv.Itoa(i) + "]"
}

// deepTOML finds the first place where brackets or the dots of a key stand too
// deep, because the library's time and memory grow with the square of it. It
// looks at characters alone, outside texts and comments.
func deepTOML(src string) (offset int, deep bool) {
	s := tomlScanner{src: src}
	brackets, dots := 0, 0
	for s.offset < len(src) {
		switch src[s.offset] {
		case '"', '\'':
			s.text()
			continue
		case '#':
			s.comment()
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
			return s.offset, true
		}
		s.offset++
	}
	return 0, false
}
