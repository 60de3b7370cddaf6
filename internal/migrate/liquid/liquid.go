// Package liquid evaluates Liquid in the same way as Jekyll. Values come from the site's settings and data, the page,
// and includes. An output or a tag with an unknown value becomes a placeholder, which package convert reports. In code,
// the output or tag remains unchanged, and this package adds a note.
package liquid

import (
	"path"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/source"
)

// liquidNode is text, an output, or a tag with its branches.
type liquidNode struct {
	// kind is "text", "out", or the tag's name. text is the text, the expression of the output, or the argument of
	// the tag. raw is the original text of an output or a tag.
	kind, text, raw string
	branches        []liquidBranch
}

type liquidBranch struct {
	// word is the name of the tag that starts the branch, such as "if", "elsif", "else", or "when". text is the
	// branch's condition.
	word, text string
	nodes      []*liquidNode
}

var (
	liquidToken = lazyregexp.New(`(?s)\{\{-?(.*?)-?\}\}|\{%-?\s*(\w+)?(.*?)-?%\}`)
	// liquidEnds maps blocks of literal text to patterns for their end tags.
	liquidEnds = map[string]*lazyregexp.Regexp{"raw": lazyregexp.New(`\{%-?\s*endraw\s*-?%\}`), "comment": lazyregexp.New(`\{%-?\s*endcomment\s*-?%\}`)}
)

// liquidBlock reports whether the tag called word has an end tag.
func liquidBlock(word string) bool {
	switch word {
	case "if", "unless", "for", "case", "capture", "highlight", "tablerow", "details", "tabs", "tab":
		return true
	}
	return false
}

// readLiquid parses text into nodes. A block without an end tag extends to the end of text.
func readLiquid(text string) []*liquidNode {
	type open struct {
		node *liquidNode
		at   int
	}
	root := &liquidNode{branches: []liquidBranch{{}}}
	stack := []open{{root, 0}}
	add := func(n *liquidNode) {
		top := stack[len(stack)-1].node
		b := &top.branches[len(top.branches)-1]
		b.nodes = append(b.nodes, n)
	}
	at := 0
	for {
		m := liquidToken.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return strings.TrimSpace(text[at+m[2*i] : at+m[2*i+1]])
		}
		out, word, rest, from, to := group(1), group(2), group(3), at+m[0], at+m[1]
		raw, before := text[from:to], text[at:from]
		if strings.HasPrefix(raw[2:], "-") {
			before = strings.TrimRight(before, " \t\n")
		}
		if before != "" {
			add(&liquidNode{kind: "text", text: before})
		}
		if at = to; strings.HasSuffix(raw[:len(raw)-2], "-") {
			at = len(text) - len(strings.TrimLeft(text[at:], " \t\n"))
		}
		top := stack[len(stack)-1].node
		switch {
		case raw[1] == '{':
			add(&liquidNode{kind: "out", text: out, raw: raw})
		case liquidEnds[word] != nil:
			end := liquidEnds[word].FindStringIndex(text[at:])
			if end == nil {
				end = []int{len(text) - at, len(text) - at}
			}
			add(&liquidNode{kind: word, text: text[at : at+end[0]], raw: text[from : at+end[1]]})
			at += end[1]
		case liquidBlock(word) && len(stack) < 100:
			n := &liquidNode{kind: word, text: rest, raw: raw, branches: []liquidBranch{{word: word, text: rest}}}
			add(n)
			stack = append(stack, open{n, from})
		case (word == "elsif" || word == "else" || word == "when") && len(stack) > 1:
			top.branches = append(top.branches, liquidBranch{word: word, text: rest})
		case strings.HasPrefix(word, "end") && len(stack) > 1 && top.kind == word[3:]:
			top.raw = text[stack[len(stack)-1].at:to]
			stack = stack[:len(stack)-1]
		default:
			add(&liquidNode{kind: source.Fallback(word, "?"), text: rest, raw: raw})
		}
	}
	if at < len(text) {
		add(&liquidNode{kind: "text", text: text[at:]})
	}
	return root.branches[0].nodes
}

// liquid evaluates the Liquid of one page.
type liquid struct {
	c *convert.Converter
	// scope maps the names of variables to their values.
	scope map[string]any
	// work is the number of evaluated nodes. It is limited to maxLiquid, because nested loops could take too long.
	work int
	// unknown is true if the current node has used an unknown value or tag.
	unknown bool
}

const maxLiquid = 200_000

// Run returns text with its Liquid evaluated. scope contains the variables.
func Run(c *convert.Converter, text string, scope map[string]any) string {
	l := &liquid{c: c, scope: scope}
	return l.run(readLiquid(text), codeFinder(text))
}

// codeFinder returns a function that reports whether the first occurrence of raw in text is in a code block or code
// span.
func codeFinder(text string) func(raw string) bool {
	mask := convert.CodeMask(text)
	return func(raw string) bool {
		i := strings.Index(text, raw)
		return i >= 0 && mask[i]
	}
}

func (l *liquid) run(nodes []*liquidNode, inCode func(string) bool) string {
	var b strings.Builder
	for _, n := range nodes {
		l.work++
		if l.work > maxLiquid || b.Len() > source.MaxText {
			break
		}
		if n.kind == "text" {
			b.WriteString(n.text)
			continue
		}
		was := l.unknown
		l.unknown = false
		s := l.node(n, inCode)
		if l.unknown && inCode(n.raw) {
			l.c.Note(n.raw, "Liquid in code", "its value is unknown", "write its output")
			s = n.raw
		} else if l.unknown {
			s = l.c.Leave(&convert.Tag{Form: convert.Alone, Name: "{liquid " + n.kind, Raw: n.raw})
		}
		l.unknown = was
		b.WriteString(s)
	}
	return b.String()
}

// node returns the text that an output or a tag produces. It sets l.unknown for an unknown tag or value.
func (l *liquid) node(n *liquidNode, inCode func(string) bool) string {
	argument := strings.Trim(n.text, `"' `)
	switch n.kind {
	case "out":
		return l.show(l.value(n.text))
	case "raw":
		return n.text
	case "comment", "seo", "feed_meta", "toc", "livereload":
		return ""
	case "assign":
		if name, rest, ok := strings.Cut(n.text, "="); ok {
			l.scope[strings.TrimSpace(name)] = l.value(strings.TrimSpace(rest))
		}
		return ""
	case "if", "unless", "case", "for", "capture", "highlight":
		if len(n.branches) == 0 {
			// The block is nested too deeply.
			break
		}
		return l.block(n, inCode)
	case "link":
		return convert.Destination("/" + strings.TrimPrefix(argument, "/"))
	case "post_url":
		dir, base := path.Split(strings.Trim(argument, "/"))
		return convert.Destination(path.Join("/", dir, "_posts", base) + ".md")
	case "include", "include_relative", "include_cached":
		return l.include(n)
	case "gist":
		id, _, _ := strings.Cut(argument, " ")
		return "[gist.github.com/" + id + "](https://gist.github.com/" + id + ")"
	case "youtube":
		return l.c.Leave(&convert.Tag{Form: convert.Alone, Name: "{youtube", Raw: n.raw, Attrs: []convert.Attr{{Value: argument}}})
	}
	l.unknown = true
	return ""
}

func (l *liquid) block(n *liquidNode, inCode func(string) bool) string {
	switch n.kind {
	case "for":
		return l.loop(n, inCode)
	case "capture":
		l.scope[n.text] = l.run(n.branches[0].nodes, inCode)
		return ""
	case "highlight":
		language, _, _ := strings.Cut(n.text, " ")
		return convert.CodeFence(language, l.run(n.branches[0].nodes, func(string) bool { return true }))
	}
	for i, b := range n.branches {
		holds := b.word == "else"
		switch {
		case holds:
		case n.kind != "case":
			holds = l.condition(b.text) != (n.kind == "unless" && i == 0)
		case i > 0:
			subject := l.value(n.text)
			for _, one := range liquidOr.Split(b.text, -1) {
				holds = holds || equal(subject, l.value(one))
			}
		}
		if l.unknown {
			return ""
		}
		if holds {
			return l.run(b.nodes, inCode)
		}
	}
	return ""
}

var (
	liquidOr   = lazyregexp.New(`\s*(?:,|\bor\b)\s*`)
	forLoop    = lazyregexp.New(`^(\w[\w-]*)\s+in\s+([^\s(]\S*)\s*(reversed)?$`)
	includeArg = lazyregexp.New(`([\w-]+)\s*=\s*("[^"]*"|'[^']*'|\S+)`)
)

func (l *liquid) loop(n *liquidNode, inCode func(string) bool) string {
	m := forLoop.FindStringSubmatch(n.text)
	if m == nil {
		l.unknown = true
		return ""
	}
	v := l.value(m[2])
	list, ok := v.([]any)
	if mapped, isMap := v.(map[string]any); isMap {
		for _, key := range source.SortedKeys(mapped) {
			list = append(list, []any{key, mapped[key]})
		}
		ok = true
	}
	if l.unknown = l.unknown || !ok && v != nil; l.unknown {
		return ""
	}
	was, wasLoop := l.scope[m[1]], l.scope["forloop"]
	var b strings.Builder
	for i, one := range list {
		if l.work > maxLiquid || b.Len() > source.MaxText {
			break
		}
		if m[3] != "" {
			one = list[len(list)-1-i]
		}
		l.scope[m[1]] = one
		l.scope["forloop"] = map[string]any{"index": i + 1, "index0": i, "first": i == 0, "last": i == len(list)-1, "length": len(list)}
		b.WriteString(l.run(n.branches[0].nodes, inCode))
	}
	l.scope[m[1]], l.scope["forloop"] = was, wasLoop
	return b.String()
}

func (l *liquid) include(n *liquidNode) string {
	name, rest, _ := strings.Cut(n.text, " ")
	dir := path.Join(l.c.Site.Base, "_includes")
	if n.kind == "include_relative" {
		dir = path.Dir(l.c.Page.Source)
	}
	text, _, ok := l.c.File(convert.Within(strings.Trim(name, `"'`), dir), "")
	if !ok {
		l.unknown = true
		return ""
	}
	args := map[string]any{}
	for _, m := range includeArg.FindAllStringSubmatch(rest, -1) {
		args[m[1]] = l.value(m[2])
	}
	was := l.scope["include"]
	l.scope["include"] = args
	l.c.Depth++
	out := l.run(readLiquid(text), codeFinder(text))
	l.c.Depth--
	l.scope["include"] = was
	return out
}
