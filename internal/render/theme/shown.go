package theme

import (
	"slices"
	"text/template/parse"
)

// Shown reports which data a template shows in addition to the page itself.
type Shown struct {
	Facts    bool // whether the template shows the facts
	Children bool // whether the template lists the pages under the page, or the entries of a list
	Posts    bool // whether the template lists the newest articles
}

// shownBy returns the data that a template shows. If lookup isn't nil, this includes the data that the called templates
// show. lookup returns a template by name.
func shownBy(tree *parse.Tree, lookup func(string) *parse.Tree) Shown {
	var s Shown
	seen := make(map[string]bool)
	var walk func(n parse.Node)
	list := func(l *parse.ListNode) {
		if l != nil {
			for _, n := range l.Nodes {
				walk(n)
			}
		}
	}
	branch := func(b *parse.BranchNode) {
		walk(b.Pipe)
		list(b.List)
		list(b.ElseList)
	}
	walk = func(n parse.Node) {
		switch n := n.(type) {
		case *parse.ListNode:
			list(n)
		case *parse.ActionNode:
			walk(n.Pipe)
		case *parse.IfNode:
			branch(&n.BranchNode)
		case *parse.RangeNode:
			branch(&n.BranchNode)
		case *parse.WithNode:
			branch(&n.BranchNode)
		case *parse.TemplateNode:
			if n.Pipe != nil {
				walk(n.Pipe)
			}
			if lookup != nil && !seen[n.Name] {
				seen[n.Name] = true
				if called := lookup(n.Name); called != nil {
					list(called.Root)
				}
			}
		case *parse.PipeNode:
			for _, c := range n.Cmds {
				for _, a := range c.Args {
					walk(a)
				}
			}
		case *parse.FieldNode:
			s.note(n.Ident)
		case *parse.VariableNode:
			s.note(n.Ident)
		case *parse.ChainNode:
			walk(n.Node)
			s.note(n.Field)
		case *parse.IdentifierNode:
			s.Facts = s.Facts || n.Ident == "fact"
		}
	}
	if tree != nil {
		list(tree.Root)
	}
	return s
}

func (s *Shown) note(fields []string) {
	s.Facts = s.Facts || slices.Contains(fields, "Product") || slices.Contains(fields, "Changes")
	s.Children = s.Children || slices.Contains(fields, "Children")
	s.Posts = s.Posts || slices.Contains(fields, "Posts")
}
