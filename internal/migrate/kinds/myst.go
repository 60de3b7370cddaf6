package kinds

import (
	"path"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/source"
)

var (
	mystFence  = lazyregexp.New("^([ \t]*)(`{3,}|~{3,}|:{3,})[ \t]*\\{([\\w:.+-]+)\\}[ \t]*(.*?)[ \t]*$")
	mystOption = lazyregexp.New(`^[ \t]*:([\w-]+):[ \t]*(.*)$`)
	mystRole   = lazyregexp.New("\\{([\\w:.+-]+)\\}(`+)([^`\n]+)`+")
	mystBlock  = lazyregexp.New(`(?m)^(?:%.*|\+\+\+.*)$\n?`)
	mystLabel  = lazyregexp.New(`^\(([^()\n]+)\)=[ \t]*$`)
)

// mystUnseen returns text without the MyST syntax that readers don't see.
func mystUnseen(text string) string {
	text = mystBlock.ReplaceAllString(mystToctree.ReplaceAllString(text, " "), "")
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if mystOption.MatchString(line) || mystLabel.MatchString(line) {
			continue
		}
		if m := mystFence.FindStringSubmatch(line); m != nil && source.HasWord("raw only", m[3]) {
			// The argument is a format, such as html.
			continue
		}
		b.WriteString(mystFence.ReplaceAllString(line, " $4") + "\n")
	}
	return mystRole.ReplaceAllStringFunc(b.String(), func(s string) string {
		m := mystRole.FindStringSubmatch(s)
		text, target := roleText(m[3])
		if text == target && source.HasWord("ref any numref doc std:ref", m[1]) {
			// The page shows the title of the target, which isn't in the source.
			return " "
		}
		return text
	})
}

// roleText splits "text <target>". If there is no target, both results are s.
func roleText(s string) (text, target string) {
	if m := tocTitled.FindStringSubmatch(s); m != nil && m[1] != "" {
		return m[1], m[2]
	}
	return s, s
}

// mystLines returns text with the directives, roles, and targets of MyST converted.
func mystLines(c *convert.Converter, text string) string {
	return convert.Directives(c, mystText(c, text, 0))
}

func mystText(c *convert.Converter, text string, depth int) string {
	lines := strings.Split(text, "\n")
	var out []string
	f := convert.NewFences(false)
	label := ""
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		m := mystFence.FindStringSubmatch(line)
		if m == nil || f.Length > 0 || depth > 20 {
			if !f.Line(line) {
				if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "+++") {
					continue
				}
				if t := mystLabel.FindStringSubmatch(line); t != nil {
					label = source.Slug(strings.ToLower(t[1]))
					continue
				}
				if label != "" && strings.TrimSpace(line) != "" {
					if convert.ATX.MatchString(line) && !convert.GivenID.MatchString(line) {
						line += " {#" + label + "}"
					} else {
						out = append(out, `<a id="`+label+`"></a>`, "")
					}
					label = ""
				}
				line = mystLinks(c, mystRoles(c, line))
			}
			out = append(out, line)
			continue
		}
		inner, end := mystInner(lines, i+1, m[2])
		if end < 0 {
			out = append(out, line)
			continue
		}
		if label != "" {
			out = append(out, m[1]+`<a id="`+label+`"></a>`, "")
			label = ""
		}
		s := mystDirective(c, m[3], m[4], inner, depth)
		for part := range strings.SplitSeq(s, "\n") {
			if part != "" {
				part = m[1] + part
			}
			out = append(out, part)
		}
		i = end
	}
	return strings.Join(out, "\n")
}

// mystInner returns the lines up to the end of a directive. end is the index of the directive's last line, or -1 if the
// directive has no end.
func mystInner(lines []string, from int, fence string) (inner []string, end int) {
	for i := from; i < len(lines); i++ {
		if s := strings.TrimSpace(lines[i]); s != "" && len(s) >= len(fence) && strings.Trim(s, fence[:1]) == "" {
			return lines[from:i], i
		}
	}
	return nil, -1
}

// mystDirective converts a directive to Markdown or to one of Vitrine's components.
func mystDirective(c *convert.Converter, name, argument string, lines []string, depth int) string {
	options := map[string]string{}
	for len(lines) > 0 {
		m := mystOption.FindStringSubmatch(lines[0])
		if m == nil {
			break
		}
		options[m[1]], lines = m[2], lines[1:]
	}
	// After options in the form ":name: value", "---" is part of the text, for example the front matter of a page in a
	// code example.
	if len(lines) > 0 && len(options) == 0 && strings.TrimSpace(lines[0]) == "---" {
		for i, line := range lines[1:] {
			if strings.TrimSpace(line) == "---" {
				lines = lines[i+2:]
				break
			}
			key, value, _ := strings.Cut(line, ":")
			options[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	raw := convert.Dedent(strings.Join(lines, "\n"))
	body := func() string { return mystText(c, raw, depth+1) }
	box := func(name, title, text string) string { return convert.Container(name, title, "", text).Text }
	switch name = strings.ToLower(name); name {
	case "toctree", "tableofcontents", "contents", "meta", "index", "highlight", "currentmodule":
		return ""
	case "raw":
		if !source.HasWord(argument, "html") {
			return ""
		}
		return raw
	case "only":
		if web := source.HasWord(argument, "html"); web == source.HasWord(argument, "not") {
			return ""
		}
		return body()
	case "code-block", "code", "sourcecode", "code-cell", "prompt", "parsed-literal", "doctest", "ipython":
		text := convert.CodeFence(strings.TrimSpace(strings.TrimPrefix(argument, "ipython3")), raw)
		if caption := options["caption"]; caption != "" {
			text = caption + "\n\n" + text
		}
		return text
	case "youtube", "video", "vimeo":
		to := argument
		if !strings.Contains(to, "/") && name != "video" {
			to = map[string]string{"youtube": "https://www.youtube.com/embed/", "vimeo": "https://player.vimeo.com/video/"}[name] + to
		}
		if p, ok := convert.Film(to, ""); ok {
			return p.Text
		}
	case "mermaid", "graphviz":
		return convert.CodeFence(name, raw)
	case "literalinclude":
		if s, _, ok := c.File(c.Candidates(argument), ""); ok {
			return convert.CodeFence(source.Fallback(options["language"], strings.TrimPrefix(path.Ext(argument), ".")), strings.TrimRight(s, "\n"))
		}
	case "include":
		if s, _, ok := c.File(c.Candidates(argument), ""); ok && source.IsPage(argument) {
			_, s, _ = source.SplitFront(s)
			return mystText(c, c.Part(s), depth+1)
		}
	case "image", "figure", "figure-md":
		text := "![" + options["alt"] + "](" + convert.Destination(argument) + ")"
		if caption := strings.TrimSpace(body()); caption != "" && name == "figure" {
			return text + "\n\n" + caption
		} else if caption != "" {
			return caption
		}
		return text
	case "math":
		return "$$\n" + strings.TrimSpace(argument+"\n"+raw) + "\n$$"
	case "tab-set", "tabs":
		return box("tabs", "", body())
	case "tab-item", "tab", "group-tab":
		return box("tab", source.Fallback(argument, "Tab"), body())
	case "grid", "card-carousel":
		return body()
	case "grid-item-card", "card":
		link := convert.Container("card", argument, convert.Attributes("link", mystLink(c, options["link"])), body())
		return link.Text
	case "dropdown", "toggle":
		return box("details", source.Fallback(argument, "Details"), body())
	case "admonition", "topic", "sidebar":
		return convert.Alert(source.Fallback(options["class"], "note"), argument, body()).Text
	case "versionadded", "versionchanged", "deprecated", "versionremoved":
		word := map[string]string{"versionadded": "New in version", "versionchanged": "Changed in version", "deprecated": "Deprecated since version", "versionremoved": "Removed in version"}[name]
		return box("note", word+" "+argument, body())
	case "grid-item", "container", "div", "rubric", "epigraph", "pull-quote", "list-table", "table", "glossary", "margin", "aside", "centered", "hlist", "button-ref", "button-link":
		return strings.TrimSpace(argument + "\n\n" + body())
	}
	if convert.Alerts[name] != "" {
		// The text may start on the line of the name.
		return convert.Alert(name, "", strings.TrimSpace(argument+"\n"+body())).Text
	}
	if text := strings.TrimSpace(raw); text != "" && !strings.HasPrefix(name, "auto") {
		head := c.LostBlock("{"+name+"} "+argument, "the directive "+name, "Sphinx generates it; its text was kept", "write its output", "").Text
		return head + "\n\n" + body()
	}
	whole := "```{" + name + "} " + argument + "\n" + raw + "\n```"
	return c.LostBlock(whole, "the directive "+name, "a Sphinx extension generates it", "write its output, or link to its published page", "").Text
}

// mystLink returns the address that a card links to. If the link is a label, it returns the label's address.
func mystLink(c *convert.Converter, to string) string {
	if site, ok := c.Site.Data.(*SphinxSite); ok && site.labels[strings.ToLower(to)] != "" {
		return site.labels[strings.ToLower(to)]
	}
	return to
}

var (
	mystTo   = lazyregexp.New(`(!?)\[([^\[\]]*)\]\(<?(?:project:|path:|myst:)?([^()\s<>]*)>?\)`)
	mystAuto = lazyregexp.New(`<(?:project|path|myst):([^<>\s]+)>`)
)

// mystLinks returns a line with the links to labels resolved. It adds the target's title to links without text.
func mystLinks(c *convert.Converter, line string) string {
	site, _ := c.Site.Data.(*SphinxSite)
	if site == nil || !strings.Contains(line, "](") && !strings.Contains(line, "<") {
		return line
	}
	return convert.OutsideCode(line, true, func(s string) string {
		s = mystAuto.ReplaceAllString(s, "[]($1)")
		return convert.ReplaceAll(mystTo, s, func(m []string) string {
			if m[1] != "" {
				return m[0]
			}
			text, to := m[2], m[3]
			label := strings.ToLower(strings.TrimPrefix(to, "#"))
			if at := site.labels[label]; at != "" && (strings.HasPrefix(to, "#") || text == "") {
				return "[" + source.Fallback(text, source.Fallback(site.titles[label], label)) + "](" + at + ")"
			}
			if text == "" && !strings.Contains(to, ":") && to != "" {
				text = source.Fallback(source.TitleCase(source.Stem(strings.SplitN(to, "#", 2)[0])), strings.TrimPrefix(to, "#"))
			}
			return "[" + text + "](" + to + ")"
		})
	})
}

// mystRoles returns a line with the roles converted to links, code, and text.
func mystRoles(c *convert.Converter, line string) string {
	return convert.ReplaceAll(mystRole, line, func(m []string) string {
		text, target := roleText(m[3])
		site, _ := c.Site.Data.(*SphinxSite)
		key := strings.ToLower(target)
		switch role := strings.ToLower(m[1]); role {
		case "doc", "download":
			if text == target {
				text = source.TitleCase(source.Stem(target))
			}
			if site != nil && strings.HasPrefix(target, "/") {
				target = path.Join("/", target)
			}
			return "[" + text + "](" + convert.Destination(target) + ")"
		case "ref", "any", "numref", "std:ref":
			if site != nil && site.labels[key] != "" {
				if text == target {
					text = source.Fallback(site.titles[key], target)
				}
				return "[" + text + "](" + site.labels[key] + ")"
			}
			return text
		case "kbd":
			return "<kbd>" + m[3] + "</kbd>"
		case "math":
			return "$" + m[3] + "$"
		case "sub", "subscript":
			return "<sub>" + m[3] + "</sub>"
		case "sup", "superscript":
			return "<sup>" + m[3] + "</sup>"
		case "term", "abbr", "guilabel", "menuselection", "dfn", "strong", "emphasis":
			return text
		}
		return convert.CodeSpan(strings.TrimLeft(text, "~!."))
	})
}
