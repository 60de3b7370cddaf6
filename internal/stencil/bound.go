package stencil

import (
	"bytes"
	"fmt"
	"io"
	"text/template/parse"
)

// BoundedWriter stops the execution of a template that writes too much or doesn't end, which the standard packages
// don't do. It forwards the output to Writer until it has received more than MaxOutput bytes or MaxSteps calls of
// Write. Then Write returns an *EndlessError. AddTurns adds a call of Write for each iteration of a loop and each call
// of a template.
type BoundedWriter struct {
	io.Writer
	// name is the path of the template's file in the folder templates.
	name         string
	bytes, turns int
	// at is the location of the most recent turn, as returned by parse.Tree.ErrorContext, or nil before the first turn.
	at []byte
}

// Bounded returns a BoundedWriter for one execution of a template. name is the path of the template's file in the
// folder templates.
func Bounded(w io.Writer, name string) *BoundedWriter { return &BoundedWriter{Writer: w, name: name} }

// Write implements io.Writer.
func (b *BoundedWriter) Write(p []byte) (int, error) {
	if at := turnPlace(p); at != nil {
		b.at = at
	}
	b.bytes += len(p)
	b.turns++
	switch {
	case b.bytes > MaxOutput:
		return 0, b.endless(fmt.Sprintf("the template writes more than %d MiB; limit its loops", MaxOutput>>20))
	case b.turns > MaxSteps:
		return 0, b.endless(fmt.Sprintf("the template runs more than %d loop iterations; limit its loops", MaxSteps))
	case len(p) == 0:
		return 0, nil
	}
	return b.Writer.Write(p)
}

func (b *BoundedWriter) endless(text string) error {
	place := b.name + ":1"
	if b.at != nil {
		place = string(b.at)
	}
	return &EndlessError{b.name, place, text}
}

// EndlessError is the error that a BoundedWriter returns when the template exceeds a limit.
type EndlessError struct {
	// Name is the path of the template's file in the folder templates.
	Name        string
	place, text string
}

// Error returns the message in the format of the template packages.
func (e *EndlessError) Error() string { return fmt.Sprintf("template: %s: %s", e.place, e.text) }

// AddTurns inserts an empty text node at the start of every loop and template in a tree. Executing the node calls
// Write, so a BoundedWriter counts it. AddTurns does nothing if tree already has such nodes.
func AddTurns(tree *parse.Tree) {
	if tree == nil || tree.Root == nil || hasTurn(tree.Root) {
		return
	}
	addTurn(tree, tree.Root, tree.Root.Pos)
	addTurnsIn(tree, tree.Root)
}

// turnMark precedes the location in the backing array of a slice from turnText. It distinguishes such a slice from
// other empty slices.
const turnMark = "\x00turn at "

// turnText returns an empty slice whose spare capacity contains place, the location of a loop or template, so that a
// BoundedWriter can read the location although it isn't part of the output.
func turnText(place string) []byte { return []byte(turnMark + place)[: 0 : len(turnMark)+len(place)] }

// turnPlace returns the location in the backing array of a slice from turnText, or nil for other slices.
func turnPlace(text []byte) []byte {
	if len(text) > 0 {
		return nil
	}
	place, ok := bytes.CutPrefix(text[:cap(text)], []byte(turnMark))
	if !ok {
		return nil
	}
	return place
}

func hasTurn(list *parse.ListNode) bool {
	if len(list.Nodes) == 0 {
		return false
	}
	text, ok := list.Nodes[0].(*parse.TextNode)
	return ok && len(text.Text) == 0
}

// addTurn inserts an empty text node at the start of list. The node records the location of the loop or template at
// pos.
func addTurn(tree *parse.Tree, list *parse.ListNode, pos parse.Pos) {
	// ErrorContext also formats its argument as text, so pass an empty node.
	place, _ := tree.ErrorContext(&parse.TextNode{NodeType: parse.NodeText, Pos: pos})
	list.Nodes = append([]parse.Node{&parse.TextNode{NodeType: parse.NodeText, Pos: list.Pos, Text: turnText(place)}}, list.Nodes...)
}

func addTurnsIn(tree *parse.Tree, list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.IfNode:
			addTurnsIn(tree, n.List)
			addTurnsIn(tree, n.ElseList)
		case *parse.WithNode:
			addTurnsIn(tree, n.List)
			addTurnsIn(tree, n.ElseList)
		case *parse.RangeNode:
			addTurnsIn(tree, n.List)
			addTurnsIn(tree, n.ElseList)
			addTurn(tree, n.List, n.Pos)
		}
	}
}
