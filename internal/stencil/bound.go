package stencil

import (
	"fmt"
	"io"
	"text/template/parse"
)

// The standard packages run a template until it ends. Every execution writes to a BoundedWriter instead, which counts
// the bytes and the writes: AddTurns, which processes every loaded template, makes each iteration of a loop and each
// call of a template write. BoundedWriter passes on the output until it exceeds the limit.
type BoundedWriter struct {
	io.Writer
	// name is the template's file, under templates.
	name         string
	bytes, turns int
}

// Bounded returns a writer for one execution of the template in a file under templates.
func Bounded(w io.Writer, name string) *BoundedWriter { return &BoundedWriter{Writer: w, name: name} }

// Write implements io.Writer.
func (b *BoundedWriter) Write(p []byte) (int, error) {
	b.bytes += len(p)
	b.turns++
	switch {
	case b.bytes > MaxOutput:
		return 0, &EndlessError{b.name, fmt.Sprintf("this writes more than %d MiB; bound its loops", MaxOutput>>20)}
	case b.turns > MaxSteps:
		return 0, &EndlessError{b.name, fmt.Sprintf("this goes on after %d turns of its loops; bound them", MaxSteps)}
	case len(p) == 0:
		return 0, nil
	}
	return b.Writer.Write(p)
}

// EndlessError is the error of a BoundedWriter.
type EndlessError struct {
	// Name is the template's file, under templates.
	Name string
	text string
}

// Error returns the error in the form of the template packages.
func (e *EndlessError) Error() string { return fmt.Sprintf("template: %s:1: %s", e.Name, e.text) }

// AddTurns puts an empty text at the start of every loop and template of a tree, which an execution writes each time.
func AddTurns(tree *parse.Tree) {
	if tree == nil || tree.Root == nil || hasTurn(tree.Root) {
		return
	}
	addTurn(tree.Root)
	addTurnsIn(tree.Root)
}

func hasTurn(list *parse.ListNode) bool {
	if len(list.Nodes) == 0 {
		return false
	}
	text, ok := list.Nodes[0].(*parse.TextNode)
	return ok && len(text.Text) == 0
}

func addTurn(list *parse.ListNode) {
	list.Nodes = append([]parse.Node{&parse.TextNode{NodeType: parse.NodeText, Pos: list.Pos}}, list.Nodes...)
}

func addTurnsIn(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.IfNode:
			addTurnsIn(n.List)
			addTurnsIn(n.ElseList)
		case *parse.WithNode:
			addTurnsIn(n.List)
			addTurnsIn(n.ElseList)
		case *parse.RangeNode:
			addTurnsIn(n.List)
			addTurnsIn(n.ElseList)
			addTurn(n.List)
		}
	}
}
