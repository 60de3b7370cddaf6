package convert

import (
	"strings"

	"vitrine/internal/migrate/source"
)

// managers are the tools whose names label alternatives of a command.
const managers = "npm npx yarn pnpm bun bunx deno cargo pip uv brew"

// unknownTabs writes a site's own component as tabs if its form shows that it has alternatives: commands of several package
// managers in attributes, or only named slots in a component whose name ends in Tabs. ok is false for other components.
func (c *Converter) unknownTabs(n *Node) (p Piece, ok bool) {
	if tabs := managerTabs(n); len(tabs) > 1 && len(n.children) == 0 && !c.oneLine {
		return Container("tabs", "", "", strings.Join(tabs, "\n")), true
	}
	if !strings.HasSuffix(n.Tag.Name, "Tabs") || c.oneLine {
		return Piece{}, false
	}
	var tabs []string
	for _, child := range n.children {
		switch {
		case child.Tag == nil && strings.TrimSpace(child.text) == "":
		case child.Tag != nil && child.Tag.Get("slot") != "":
			tabs = append(tabs, Container("tab", child.Tag.Get("slot"), "", c.Inner(child)).Text)
		default:
			return Piece{}, false
		}
	}
	return Container("tabs", "", "", strings.Join(tabs, "\n")), len(tabs) > 0
}

// managerTabs returns a tab for each attribute of a tag if at least two are commands of package managers.
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
