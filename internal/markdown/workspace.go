package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// workspace is the memory that one page needs while it is parsed and written,
// and the next one needs again.
type workspace struct {
	nodes nodes
	twin  twin
	prose []byte
}

// workspaceKeep is how large a buffer may be to be kept for other pages.
const workspaceKeep = 1 << 16

// markerSize is about what a marker takes, with all that is kept for each.
const markerSize = 128

// clear makes a workspace ready for another page: nothing in it refers to the
// last one, and what a large page needed more than others is given back.
func (s *workspace) clear() {
	s.nodes.reset()
	s.twin.d, s.twin.w = nil, nil
	if text := &s.twin.text; cap(text.out)+cap(text.lit)+cap(s.twin.cells)+cap(text.markers)*markerSize > workspaceKeep {
		s.twin = twin{}
	}
	if cap(s.prose) > workspaceKeep {
		s.prose = nil
	}
}

// Release ends the use of the Document, whose memory then serves other pages.
// Nothing of it may be called afterwards; its Links stay as they are. A Document
// that is not released is collected like any other value, and a nil one has
// nothing to release.
func (d *Document) Release() {
	if d == nil || d.work == nil {
		return
	}
	for _, f := range d.fragments {
		f.Release()
	}
	work := d.work
	*d = Document{parser: d.parser, path: d.path}
	work.clear()
	d.parser.workspaces.Put(work)
}

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
