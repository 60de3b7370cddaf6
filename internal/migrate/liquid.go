package migrate

import (
	"path"
	"regexp"
	"strings"
)

// Liquid is read as Jekyll reads it, as far as its values are known: those of the site's
// settings and data, of the page, and of includes. A part that asks for more is shown as
// it was written.

// liquidNode is a text, an output, or a tag with its branches.
type liquidNode struct {
	// kind is "text", "out", or the tag's name.
	kind, text, raw string
	branches        []liquidBranch
}

type liquidBranch struct {
	// word is "if", "elsif", "else", "when"; text its condition.
	word, text string
	nodes      []*liquidNode
}

var liquidToken = regexp.MustCompile(`(?s)\{\{-?.*?-?\}\}|\{%-?\s*(\w+)?(.*?)-?%\}`)

// liquidBlocks are the tags that have an end.
var liquidBlocks = map[string]bool{"if": true, "unless": true, "for": true, "case": true, "capture": true, "highlight": true, "comment": true, "raw": true, "tablerow": true, "details": true, "tabs": true, "tab": true}

// readLiquid reads a text into nodes. A block without its end is one that is not known.
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
	for at < len(text) {
		m := liquidToken.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		base := at
		from, to := base+m[0], base+m[1]
		raw := text[from:to]
		before := text[at:from]
		if strings.HasPrefix(raw[2:], "-") {
			before = strings.TrimRight(before, " \t\n")
		}
		if before != "" {
			add(&liquidNode{kind: "text", text: before})
		}
		at = to
		if strings.HasSuffix(raw[:len(raw)-2], "-") {
			at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\n"))
		}
		if raw[1] == '{' {
			add(&liquidNode{kind: "out", text: strings.Trim(raw[2:len(raw)-2], "- \t\n"), raw: raw})
			continue
		}
		word, rest := "", ""
		if m[2] >= 0 {
			word = text[base+m[2] : base+m[3]]
		}
		if m[4] >= 0 {
			rest = strings.TrimSpace(text[base+m[4] : base+m[5]])
		}
		top := stack[len(stack)-1].node
		switch {
		case word == "raw" || word == "comment":
			end := regexp.MustCompile(`\{%-?\s*end` + word + `\s*-?%\}`).FindStringIndex(text[at:])
			if end == nil {
				add(&liquidNode{kind: word, text: text[at:], raw: raw})
				at = len(text)
				continue
			}
			add(&liquidNode{kind: word, text: text[at : at+end[0]], raw: text[from : at+end[1]]})
			at += end[1]
		case liquidBlocks[word] && len(stack) < 100:
			n := &liquidNode{kind: word, text: rest, raw: raw, branches: []liquidBranch{{word: word, text: rest}}}
			add(n)
			stack = append(stack, open{n, from})
		case (word == "elsif" || word == "else" || word == "when") && len(stack) > 1:
			top.branches = append(top.branches, liquidBranch{word: word, text: rest})
		case strings.HasPrefix(word, "end") && len(stack) > 1 && top.kind == word[3:]:
			top.raw = text[stack[len(stack)-1].at:to]
			stack = stack[:len(stack)-1]
		default:
			add(&liquidNode{kind: fallback(word, "?"), text: rest, raw: raw})
		}
	}
	if at < len(text) {
		add(&liquidNode{kind: "text", text: text[at:]})
	}
	return root.branches[0].nodes
}

// liquid runs Liquid over one page.
type liquid struct {
	c *conv
	// scope has the variables.
	scope map[string]any
	// work counts what was done, so that a loop in a loop ends.
	work int
	// unknown says that something was asked for that is not known.
	unknown bool
}

const maxLiquid = 200_000

func jekyllLiquid(c *conv, text string) string {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "{%") {
		return text
	}
	site, _ := c.im.data.(*jekyllSite)
	l := &liquid{c: c, scope: map[string]any{}}
	if site != nil {
		l.scope["site"] = site.values
	}
	page, _ := plainOf(c.page.front).(map[string]any)
	own := map[string]any{"url": cleanAddress(c.im.strip(c.page.address)), "path": c.page.source, "title": c.page.title}
	for k, v := range page {
		own[k] = v
	}
	l.scope["page"], l.scope["jekyll"] = own, map[string]any{"environment": "production"}
	return l.run(readLiquid(text), codeFinder(text))
}

// codeFinder reports whether something that was written stands in a code block.
func codeFinder(text string) func(raw string) bool {
	mask := codeMask(text)
	return func(raw string) bool {
		i := strings.Index(text, raw)
		return i >= 0 && mask[i]
	}
}

func (l *liquid) run(nodes []*liquidNode, inCode func(string) bool) string {
	var b strings.Builder
	for _, n := range nodes {
		l.work++
		if l.work > maxLiquid || b.Len() > maxText {
			break
		}
		if n.kind == "text" {
			b.WriteString(n.text)
			continue
		}
		was := l.unknown
		l.unknown = false
		s := l.node(n, inCode)
		if l.unknown {
			if inCode(n.raw) {
				l.c.note(n.raw, "Liquid in code", "its value is not known", "write what it shows")
				s = n.raw
			} else {
				s = l.c.leave(&tag{form: alone, name: "{liquid " + n.kind, raw: n.raw})
			}
		}
		l.unknown = was
		b.WriteString(s)
	}
	return b.String()
}

func (l *liquid) node(n *liquidNode, inCode func(string) bool) string {
	if liquidBlocks[n.kind] && n.kind != "raw" && n.kind != "comment" && len(n.branches) == 0 {
		// It stood too deep in others, or has no end.
		l.unknown = true
		return ""
	}
	switch n.kind {
	case "out":
		v := l.value(n.text)
		return l.show(v)
	case "raw":
		return n.text
	case "comment":
		return ""
	case "assign":
		name, rest, ok := strings.Cut(n.text, "=")
		if ok {
			l.scope[strings.TrimSpace(name)] = l.value(strings.TrimSpace(rest))
		}
		return ""
	case "capture":
		l.scope[strings.TrimSpace(n.text)] = l.run(n.branches[0].nodes, inCode)
		return ""
	case "highlight":
		language, _, _ := strings.Cut(n.text, " ")
		return codeFence(language, l.run(n.branches[0].nodes, func(string) bool { return true }))
	case "if", "unless", "case":
		return l.choose(n, inCode)
	case "for":
		return l.loop(n, inCode)
	case "link":
		return destination("/" + strings.TrimPrefix(strings.Trim(n.text, `"'`), "/"))
	case "post_url":
		name := strings.Trim(n.text, `"'/ `)
		dir, base := path.Split(name)
		return destination(path.Join("/", dir, "_posts", base) + ".md")
	case "include", "include_relative", "include_cached":
		return l.include(n)
	case "break", "continue", "increment", "decrement", "cycle":
		l.unknown = true
	case "gist":
		id := strings.Trim(strings.Fields(n.text + " ?")[0], `"'`)
		return "[gist.github.com/" + id + "](https://gist.github.com/" + id + ")"
	case "seo", "feed_meta", "toc", "livereload":
		return ""
	case "youtube":
		return l.c.leave(&tag{form: alone, name: "{youtube", raw: n.raw, attrs: []attr{{value: strings.Trim(n.text, `"' `)}}})
	default:
		l.unknown = true
	}
	return ""
}

func (l *liquid) choose(n *liquidNode, inCode func(string) bool) string {
	for i, b := range n.branches {
		holds := false
		switch {
		case b.word == "else":
			holds = true
		case n.kind == "case" && i == 0:
			continue
		case n.kind == "case":
			subject := l.value(n.text)
			for _, one := range regexp.MustCompile(`\s*(?:,|\bor\b)\s*`).Split(b.text, -1) {
				holds = holds || equal(subject, l.value(one))
			}
		default:
			holds = l.condition(b.text)
			if n.kind == "unless" && i == 0 {
				holds = !holds
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

var forLoop = regexp.MustCompile(`^(\w[\w-]*)\s+in\s+(\S+)(.*)$`)

func (l *liquid) loop(n *liquidNode, inCode func(string) bool) string {
	m := forLoop.FindStringSubmatch(n.text)
	if m == nil || strings.HasPrefix(m[2], "(") || strings.TrimSpace(m[3]) != "" && strings.TrimSpace(m[3]) != "reversed" {
		l.unknown = true
		return ""
	}
	v := l.value(m[2])
	list, ok := v.([]any)
	if mapped, isMap := v.(map[string]any); isMap {
		for _, key := range sortedKeys(mapped) {
			list = append(list, []any{key, mapped[key]})
		}
		ok = true
	}
	if l.unknown || !ok && v != nil {
		l.unknown = true
		return ""
	}
	was, wasLoop := l.scope[m[1]], l.scope["forloop"]
	var b strings.Builder
	for i := range list {
		if l.work > maxLiquid || b.Len() > maxText {
			break
		}
		l.scope[m[1]] = list[i]
		if strings.TrimSpace(m[3]) == "reversed" {
			l.scope[m[1]] = list[len(list)-1-i]
		}
		l.scope["forloop"] = map[string]any{"index": i + 1, "index0": i, "first": i == 0, "last": i == len(list)-1, "length": len(list)}
		b.WriteString(l.run(n.branches[0].nodes, inCode))
	}
	l.scope[m[1]], l.scope["forloop"] = was, wasLoop
	return b.String()
}

var includeArg = regexp.MustCompile(`([\w-]+)\s*=\s*("[^"]*"|'[^']*'|\S+)`)

func (l *liquid) include(n *liquidNode) string {
	name, rest, _ := strings.Cut(n.text, " ")
	name = strings.Trim(name, `"'`)
	if strings.Contains(name, "{{") {
		l.unknown = true
		return ""
	}
	dir := path.Join(l.c.im.base, "_includes")
	if n.kind == "include_relative" {
		dir = path.Dir(l.c.page.source)
	}
	full, ok := inside(dir, name)
	text, err := l.c.im.src.text(full)
	if !ok || err != nil || l.c.depth > 8 {
		l.unknown = true
		return ""
	}
	l.c.im.includes[full] = true
	args := map[string]any{}
	for _, m := range includeArg.FindAllStringSubmatch(rest, -1) {
		args[m[1]] = l.value(m[2])
	}
	was := l.scope["include"]
	l.scope["include"] = args
	l.c.depth++
	out := l.run(readLiquid(text), codeFinder(text))
	l.c.depth--
	l.scope["include"] = was
	return out
}
