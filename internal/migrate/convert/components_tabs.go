package convert

import (
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/source"
)

// Tabs converts a group of tabs to a tabs component. It returns the content unchanged if the group contains no tabs.
func Tabs(c *Converter, n *Node) Piece {
	// An attribute of the group may list the titles of the tabs.
	titleTabs(n)
	body := c.Inner(n)
	if strings.HasPrefix(strings.TrimSpace(body), Sign+":::tabs") {
		// The content is already a tabs component.
		return Piece{body, true}
	}
	// In a group without tabs, each code block becomes a tab with the title in its fence.
	if !strings.Contains(body, Sign+":::tab") {
		body = fencesAsTabs(body)
	}
	if !strings.Contains(body, Sign+":::tab[") {
		return Piece{body, true}
	}
	before, tabs, after := splitTabs(body)
	return Piece{trimBlank(before + "\n" + Container("tabs", "", "", tabs).Text + "\n\n" + after), true}
}

// splitTabs separates the tabs in the body of a group from other text, because a group can contain only tabs. before is
// the text before the first tab, and after is all other text.
func splitTabs(body string) (before, tabs, after string) {
	var parts [3]strings.Builder
	f, depth, into := NewFences(true), 0, 0
	for line := range strings.Lines(body + "\n") {
		code := f.Line(strings.TrimSuffix(line, "\n"))
		switch text := strings.TrimSpace(line); {
		case depth > 0 || text == "":
		case strings.HasPrefix(text, Sign+":::tab["):
			into = 1
		case into == 1:
			into = 2
		}
		if !code {
			depth += nesting(line)
		}
		parts[into].WriteString(line)
	}
	return parts[0].String(), parts[1].String(), parts[2].String()
}

// nesting returns 1 for a line that starts a container component, -1 for a line that ends such a component, and 0 for
// other lines.
func nesting(line string) int {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), Sign+":::")
	switch {
	case !ok:
		return 0
	case rest == "":
		return -1
	}
	return 1
}

// listedTitles returns the tab titles listed in an attribute of t, such as items or labels, or nil if there is none.
func listedTitles(t *Tag) (titles []string) {
	for _, a := range t.Attrs {
		if source.HasWord("items names labels titles", strings.TrimPrefix(a.Name, ":")) {
			titles = source.Texts(JsObject(a.Value, "["))
		}
	}
	return titles
}

// titleTabs sets the titles of the tabs in n from the attribute of n that lists titles. Tabs that have a title keep it.
func titleTabs(n *Node) {
	titles := listedTitles(n.Tag)
	for _, child := range n.children {
		if child.Tag != nil && len(titles) > 0 {
			if titleAttr(child.Tag) == "" {
				child.Tag.Attrs = append(child.Tag.Attrs, Attr{Name: "title", Value: titles[0]})
			}
			titles = titles[1:]
		}
	}
}

func tab(c *Converter, n *Node) Piece {
	if group, ok := c.slotTabs(n); ok {
		return group
	}
	title := source.Fallback(titleAttr(n.Tag), source.Fallback(n.Tag.Get("value", "id", "lang"), n.Tag.Argument(0)))
	if code := n.Tag.Get("code"); code != "" {
		return Container("tab", title, "", CodeFence(n.Tag.Get("lang", "language"), code))
	}
	return Container("tab", source.Fallback(title, "Tab"), "", c.Inner(n))
}

// fencesAsTabs returns body with each code block outside a component converted to a tab. fenceTitle reads the title of
// the tab from the info string.
func fencesAsTabs(body string) string {
	var b, tab strings.Builder
	f := NewFences(true)
	title, in, depth := "", false, 0
	for line := range strings.Lines(body + "\n") {
		code := f.Line(strings.TrimSuffix(line, "\n"))
		if !code {
			depth += nesting(line)
		}
		switch {
		case depth > 0:
			b.WriteString(line)
		case code && !in:
			in = true
			_, _, info := FenceOf(line)
			rest := ""
			title, rest = fenceTitle(info)
			tab.Reset()
			tab.WriteString(strings.Replace(line, info, rest, 1))
		case code && f.Length == 0:
			tab.WriteString(line)
			in = false
			b.WriteString(Container("tab", source.Fallback(title, "Code"), "", tab.String()).Text + "\n\n")
		case code:
			tab.WriteString(line)
		default:
			b.WriteString(line)
		}
	}
	if in {
		b.WriteString(tab.String())
	}
	return trimBlank(b.String())
}

// fenceName matches a title in the info string of a fence: in brackets, or as an attribute.
var fenceName = lazyregexp.New(`\[([^\]]+)\]|(?:title|filename|label|name|tab)=(?:"([^"]*)"|'([^']*)'|(\S+))`)

// fenceTitle returns the title and the language in the info string of a fence. If there is no title, it returns the
// language as the title.
func fenceTitle(info string) (title, language string) {
	language, _, _ = strings.Cut(info, " ")
	if i := strings.IndexAny(language, "{:["); i > 0 {
		language = language[:i]
	}
	if m := fenceName.FindStringSubmatch(info[len(language):]); m != nil {
		return m[1] + m[2] + m[3] + m[4], language
	}
	// Mintlify's titles are the words after the language.
	words := strings.TrimSpace(info[len(language):])
	if words != "" && !strings.ContainsAny(words, "{}=[]\"'") {
		return words, language
	}
	return language, language
}

// managers lists the tools, such as package managers, whose names label alternative forms of a command.
const managers = "npm npx yarn pnpm bun bunx deno cargo pip uv brew"

// unknownTabs converts a custom component to tabs if the component appears to present alternatives: attributes with
// commands for several package managers, or only named slots in a component whose name ends in Tabs. ok is false for
// other components.
func (c *Converter) unknownTabs(n *Node) (p Piece, ok bool) {
	if tabs := managerTabs(n); len(tabs) > 1 && len(n.children) == 0 && !c.oneLine {
		return Container("tabs", "", "", strings.Join(tabs, "\n")), true
	}
	if !strings.HasSuffix(n.Tag.Name, "Tabs") || c.oneLine {
		return Piece{}, false
	}
	return c.slotTabs(n)
}

// slotTabs converts a component to tabs if the component contains only named slots. Attributes of the component may
// list the titles of the tabs. ok is false for other components.
func (c *Converter) slotTabs(n *Node) (p Piece, ok bool) {
	titles := listedTitles(n.Tag)
	var tabs []string
	for _, child := range n.children {
		switch {
		case child.Tag == nil && strings.TrimSpace(child.text) == "":
		case child.Tag != nil && slotName(child.Tag) != "":
			title := slotName(child.Tag)
			if len(tabs) < len(titles) {
				title = titles[len(tabs)]
			}
			tabs = append(tabs, Container("tab", title, "", c.Inner(child)).Text)
		default:
			return Piece{}, false
		}
	}
	return Container("tabs", "", "", strings.Join(tabs, "\n")), len(tabs) > 0
}

// slotName returns the name of the slot that a tag fills (slot="name", or Vue's v-slot:name or #name), or "".
func slotName(t *Tag) string {
	for _, a := range t.Attrs {
		for _, prefix := range []string{"v-slot:", "#"} {
			if name, ok := strings.CutPrefix(a.Name, prefix); ok {
				return name
			}
		}
	}
	return t.Get("slot")
}

// managerTabs returns a tab for each attribute of n if at least two of them are named after package managers. It
// returns nil if any value is empty or an expression.
func managerTabs(n *Node) (tabs []string) {
	known := 0
	for _, a := range n.Tag.Attrs {
		switch {
		case silentAttr.MatchString(a.Name):
			continue
		case a.code || strings.TrimSpace(a.Value) == "":
			return nil
		case source.HasWord(managers, strings.ToLower(a.Name)):
			known++
		}
		tabs = append(tabs, Container("tab", a.Name, "", CodeFence("sh", Dedent(a.Value))).Text)
	}
	if known < 2 {
		return nil
	}
	return tabs
}
