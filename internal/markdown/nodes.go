package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// nodes are the nodes of a page's tree that this package makes itself. There are
// many of them and they live as long as each other, so they are made many at a
// time, and made again into those of another page when the page is released.
type nodes struct {
	texts    slab[ast.Text]
	emphases slab[ast.Emphasis]
	links    slab[ast.Link]
	codes    slab[ast.CodeSpan]
}

// text is a new node of text.
func (n *nodes) text(piece text.Segment) *ast.Text {
	node := n.texts.next()
	node.Segment = piece
	return node
}

// reset makes all nodes new, so that they can be given out again.
func (n *nodes) reset() {
	n.texts.reset()
	n.emphases.reset()
	n.links.reset()
	n.codes.reset()
}

const (
	// slabChunk is how many nodes are made at a time.
	slabChunk = 16
	// slabKeep is how many chunks are kept for other pages: a page of two
	// thousand words has no more.
	slabKeep = 32
)

// slab gives out zero values, chunk by chunk.
type slab[T any] struct {
	chunks [][]T
	// chunk is the one to take from, used how much of it was.
	chunk, used int
}

func (s *slab[T]) next() *T {
	if s.chunk == len(s.chunks) {
		s.chunks = append(s.chunks, make([]T, slabChunk))
	}
	value := &s.chunks[s.chunk][s.used]
	if s.used++; s.used == slabChunk {
		s.chunk, s.used = s.chunk+1, 0
	}
	return value
}

// reset takes back what was given out.
func (s *slab[T]) reset() {
	if len(s.chunks) > slabKeep {
		clear(s.chunks[slabKeep:])
		s.chunks = s.chunks[:slabKeep]
	}
	for i, chunk := range s.chunks {
		if i > s.chunk {
			break
		}
		clear(chunk)
	}
	s.chunk, s.used = 0, 0
}
