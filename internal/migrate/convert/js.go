package convert

import (
	"path"
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/source"
)

// Configurations in JavaScript and TypeScript are programs. This package reads only their literals and constants.

// JsObject returns the first object in a program that has all keys. If there is no such object, JsObject returns the
// object with the most of these keys, or nil if no object has any of them. The key "[" matches a list.
func JsObject(code string, keys ...string) *tree.Node { return JsModule(code, nil, keys...) }

// JsModule is like JsObject, but also resolves constants from imported files. imported returns the text of the file
// that the program imports as name, or "" if there is no such file.
func JsModule(code string, imported func(name string) string, keys ...string) *tree.Node {
	code = jsComments.ReplaceAllString(code, "$1")
	var best *tree.Node
	most := 0
	scope := &jsScope{code: code, imported: imported}
	for i := 0; i < len(code) && i < 1<<20; i++ {
		switch code[i] {
		case '"', '\'', '`':
			if end := stringEnd(code, i); end > 0 {
				i = end - 1
			}
		case '{', '[':
			p := &jsParser{code: code, at: i, scope: scope}
			n := p.value(0)
			if n == nil || n.Kind != tree.Map && n.Kind != tree.List {
				continue
			}
			count := 0
			for _, key := range keys {
				if source.Get(n, key) != nil || key == "[" && n.Kind == tree.List {
					count++
				}
			}
			switch {
			case count == len(keys):
				return n
			case count > 0:
				// Skip objects nested in this one.
				i = max(i, p.at-1)
			}
			if count > most {
				best, most = n, count
			}
		}
	}
	return best
}

// JsDefault returns the default export of a program or, if there is none, the object at the start of the program. It
// returns nil if there is neither, or if the value isn't a literal.
func JsDefault(code string) *tree.Node {
	code = jsComments.ReplaceAllString(code, "$1")
	scope := &jsScope{code: code}
	if m := jsDefault.FindStringIndex(code); m != nil {
		return scope.literal(m[1], 0)
	}
	if strings.HasPrefix(strings.TrimSpace(code), "{") {
		return scope.literal(0, 0)
	}
	return nil
}

var jsComments = lazyregexp.New(`(?m)(^|[\s,;{}(\[])//.*$|(?s:/\*.*?\*/)`)

type jsParser struct {
	code string
	at   int
	// scope finds constants by their names, or is nil.
	scope *jsScope
}

var (
	jsSpace = lazyregexp.New(`^[\s,]*`)
	jsKey   = lazyregexp.New(`^(?:([\w$]+)|"([^"\n]*)"|'([^'\n]*)')\s*:`)
)

// value reads the value at the current position. If the value isn't a literal or a known constant, the result is a Null
// node.
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
			} else if spread := p.spread(depth); spread != nil {
				n.Members = append(n.Members, spread.Members...)
			} else if m := jsShort.FindStringSubmatch(p.code[p.at:]); m != nil {
				// "{sidebar}" is short for "{sidebar: sidebar}".
				if v := p.scope.value(m[1], depth+1); v != nil {
					n.Members = append(n.Members, tree.Member{Key: m[1], Value: v})
				}
				p.skip()
			} else {
				p.skip()
			}
		})
	case '[':
		n.Kind = tree.List
		p.each(']', func() {
			if spread := p.spread(depth); spread != nil {
				n.Items = append(n.Items, spread.Items...)
				return
			}
			n.Items = append(n.Items, p.value(depth+1))
		})
	case '(':
		if end := balanced(p.code, p.at); end > 0 && !strings.HasPrefix(strings.TrimLeft(p.code[end:], " \n"), "=>") {
			n = (&jsParser{code: p.code[:end-1], at: p.at + 1, scope: p.scope}).value(depth + 1)
		}
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
		case i > 0 && jsPath.MatchString(word[:i]):
			// A call such as path.resolve(__dirname, "../docs") becomes the path in its strings.
			n.Kind = tree.Text
			for _, m := range jsQuoted.FindAllStringSubmatch(word, -1) {
				n.Text = path.Join(n.Text, m[1]+m[2])
			}
		case i > 0 && name.MatchString(strings.TrimSpace(word[:i])):
			if v := p.scope.value(strings.TrimSpace(word[:i]), depth+1); v != nil {
				return v
			}
			// Use a call's literal argument in place of the call: defineConfig({…}).
			return (&jsParser{code: word, at: i + 1, scope: p.scope}).value(depth + 1)
		default:
			if v := p.scope.value(strings.TrimSpace(jsCast.ReplaceAllString(word, "")), depth+1); v != nil {
				return v
			}
		}
		return n
	}
	// Skip the rest of an expression that starts with a literal: "a" + b, {…}.x, as const.
	p.skip()
	return n
}

// each calls one at the start of each member of an object or item of a list, up to the closing bracket end.
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

// skip moves to the end of the current expression.
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
