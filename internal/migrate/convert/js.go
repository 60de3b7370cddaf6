package convert

import (
	"regexp"
	"strconv"
	"strings"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/source"
)

// Configurations in JavaScript and TypeScript are programs. What stands in them as a
// literal is read, all else is nothing.

// JsObject returns the first object of a program that has one of the keys, nil for none.
func JsObject(code string, keys ...string) *tree.Node {
	code = jsComments.ReplaceAllString(code, "$1")
	for i := 0; i < len(code) && i < 1<<20; i++ {
		switch code[i] {
		case '"', '\'', '`':
			if end := stringEnd(code, i); end > 0 {
				i = end - 1
			}
		case '{', '[':
			p := &jsParser{code: code, at: i}
			n := p.value(0)
			if n == nil || n.Kind != tree.Map && n.Kind != tree.List {
				continue
			}
			for _, key := range keys {
				if source.Get(n, key) != nil || key == "[" && n.Kind == tree.List {
					return n
				}
			}
		}
	}
	return nil
}

var jsComments = regexp.MustCompile(`(?m)(^|[\s,;{}(\[])//.*$|(?s:/\*.*?\*/)`)

type jsParser struct {
	code string
	at   int
}

var (
	jsSpace = regexp.MustCompile(`^[\s,]*`)
	jsKey   = regexp.MustCompile(`^(?:([\w$]+)|"([^"\n]*)"|'([^'\n]*)')\s*:`)
)

// value reads a value; what is no literal is Null, and skipped.
func (p *jsParser) value(depth int) *tree.Node {
	n := &tree.Node{}
	p.at += len(jsSpace.FindString(p.code[p.at:]))
	if p.at >= len(p.code) || depth > tree.MaxDepth {
		return n
	}
	start := p.at
	switch p.code[p.at] {
	case '{':
		n.Kind = tree.Map
		p.each('}', func() {
			if m := jsKey.FindStringSubmatch(p.code[p.at:]); m != nil {
				p.at += len(m[0])
				n.Members = append(n.Members, tree.Member{Key: m[1] + m[2] + m[3], Value: p.value(depth + 1)})
			} else {
				p.skip()
			}
		})
	case '[':
		n.Kind = tree.List
		p.each(']', func() { n.Items = append(n.Items, p.value(depth+1)) })
	case '"', '\'', '`':
		end := stringEnd(p.code, p.at)
		if end < 0 {
			p.at = len(p.code)
			return n
		}
		p.at = end
		if s, ok := (&Converter{}).stringValue(p.code[start:end]); ok {
			n.Kind, n.Text = tree.Text, s
		}
	default:
		p.skip()
		word := strings.TrimSpace(p.code[start:p.at])
		_, err := strconv.ParseFloat(word, 64)
		i := strings.IndexByte(word, '(')
		switch {
		case word == "true", word == "false":
			n.Kind, n.Text = tree.Bool, word
		case err == nil:
			n.Kind, n.Text, n.Number = tree.Number, word, word
		case i > 0 && name.MatchString(strings.TrimSpace(word[:i])):
			// The literal that a call is given stands for the call: defineConfig({…}).
			return (&jsParser{code: word, at: i + 1}).value(depth + 1)
		}
		return n
	}
	// What follows makes it an expression: "a" + b, {…}.x, as const.
	p.skip()
	return n
}

// each reads the parts of an object or a list up to its end.
func (p *jsParser) each(end byte, one func()) {
	for p.at++; ; {
		p.at += len(jsSpace.FindString(p.code[p.at:]))
		if p.at >= len(p.code) {
			return
		}
		if p.code[p.at] == end {
			p.at++
			return
		}
		before := p.at
		if one(); p.at == before {
			p.at++
		}
	}
}

// skip goes to the end of an expression.
func (p *jsParser) skip() {
	for p.at < len(p.code) {
		end := p.at + 1
		switch p.code[p.at] {
		case ',', '}', ']', ')', ';':
			return
		case '{', '[', '(':
			if end = balanced(p.code, p.at); end < 0 {
				end = len(p.code)
			}
		case '"', '\'', '`':
			end = max(end, stringEnd(p.code, p.at))
		}
		p.at = end
	}
}
