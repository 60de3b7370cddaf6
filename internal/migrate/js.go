package migrate

import (
	"regexp"
	"strconv"
	"strings"

	"vitrine/internal/load/tree"
)

// Configurations in JavaScript and TypeScript are programs. What stands in them as a
// literal is read, all else is nothing.

// jsObject returns the first object of a program that has one of the keys, nil for none.
func jsObject(code string, keys ...string) *tree.Node {
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
				if get(n, key) != nil || key == "[" && n.Kind == tree.List {
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

func (p *jsParser) space() {
	for p.at < len(p.code) && strings.IndexByte(" \t\n,", p.code[p.at]) >= 0 {
		p.at++
	}
}

// value reads a value; what is no literal is Null, and skipped.
func (p *jsParser) value(depth int) *tree.Node {
	p.space()
	if p.at >= len(p.code) || depth > tree.MaxDepth {
		return &tree.Node{}
	}
	n := &tree.Node{}
	start := p.at
	switch c := p.code[p.at]; c {
	case '{':
		n.Kind = tree.Map
		p.object(n, depth)
	case '[':
		n.Kind = tree.List
		for p.at++; ; {
			p.space()
			if p.at >= len(p.code) {
				return n
			}
			if p.code[p.at] == ']' {
				p.at++
				break
			}
			before := p.at
			n.Items = append(n.Items, p.value(depth+1))
			if p.at == before {
				p.at++
			}
		}
	case '"', '\'', '`':
		end := stringEnd(p.code, p.at)
		if end < 0 {
			p.at = len(p.code)
			return n
		}
		s, ok := (&conv{}).stringLiteral(p.code[p.at:end])
		p.at = end
		if ok {
			n.Kind, n.Text = tree.Text, s
		}
	default:
		p.skip()
		word := strings.TrimSpace(p.code[start:p.at])
		if word == "true" || word == "false" {
			return &tree.Node{Kind: tree.Bool, Text: word}
		}
		if _, err := strconv.ParseFloat(word, 64); err == nil {
			return &tree.Node{Kind: tree.Number, Text: word, Number: word}
		}
		// The literal that a call is given stands for the call: defineConfig({…}).
		if i := strings.IndexByte(word, '('); i > 0 && name.MatchString(strings.TrimSpace(word[:i])) {
			inner := &jsParser{code: word, at: i + 1}
			return inner.value(depth + 1)
		}
		return &tree.Node{}
	}
	// What follows makes it an expression: "a" + b, {…}.x, as const.
	p.skip()
	return n
}

// skip goes to the end of an expression.
func (p *jsParser) skip() {
	for p.at < len(p.code) {
		switch p.code[p.at] {
		case ',', '}', ']', ')', ';':
			return
		case '{', '[', '(':
			end := balanced(p.code, p.at)
			if end < 0 {
				p.at = len(p.code)
				return
			}
			p.at = end
		case '"', '\'', '`':
			end := stringEnd(p.code, p.at)
			if end < 0 {
				end = p.at + 1
			}
			p.at = end
		case '\n':
			// Without a comma an expression may go on in the next line.
			p.at++
		default:
			p.at++
		}
	}
}

func (p *jsParser) object(n *tree.Node, depth int) {
	for p.at++; ; {
		p.space()
		if p.at >= len(p.code) {
			return
		}
		if p.code[p.at] == '}' {
			p.at++
			return
		}
		key, before := "", p.at
		if c := p.code[p.at]; c == '"' || c == '\'' {
			end := stringEnd(p.code, p.at)
			if end < 0 {
				p.at = len(p.code)
				return
			}
			key, p.at = p.code[p.at+1:end-1], end
		} else {
			for p.at < len(p.code) && (isNameByte(p.code[p.at]) || p.code[p.at] == '_' || p.code[p.at] == '$') {
				p.at++
			}
			key = p.code[before:p.at]
		}
		for p.at < len(p.code) && (p.code[p.at] == ' ' || p.code[p.at] == '\n' || p.code[p.at] == '\t') {
			p.at++
		}
		if p.at < len(p.code) && p.code[p.at] == ':' && key != "" {
			p.at++
			n.Members = append(n.Members, tree.Member{Key: key, Value: p.value(depth + 1)})
		} else {
			p.skip()
		}
		if p.at == before {
			p.at++
		}
	}
}

// stringLiteral reads a string without values in it.
func (c *conv) stringLiteral(code string) (string, bool) {
	if strings.Contains(code, "${") && code[0] == '`' {
		return "", false
	}
	return c.stringValue(code)
}
