package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// workspace contains the memory for parsing and writing a page. Later pages reuse the memory.
type workspace struct {
	nodes nodes
	twin  twin
	prose []byte
}

// workspaceKeep is the maximum size in bytes of the buffers that a workspace keeps for later pages.
const workspaceKeep = 1 << 16

// markerSize is the approximate size in bytes of a marker with its associated data.
const markerSize = 128

// clear prepares the workspace for another page. It drops all references to the previous page, and drops buffers that
// exceed workspaceKeep.
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

// Release makes the Document's memory available to other pages. The caller must not call the Document's methods
// afterward, but its Links remain valid. Calling Release is optional, and releasing nil has no effect.
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

// nodes allocates the nodes that this package adds to a page's tree. There are many such nodes with the same lifetime,
// so they are allocated in chunks and reused when the page is released.
type nodes struct {
	texts    slab[ast.Text]
	emphases slab[ast.Emphasis]
	links    slab[ast.Link]
	codes    slab[ast.CodeSpan]
}

// text returns a new text node for piece.
func (n *nodes) text(piece text.Segment) *ast.Text {
	node := n.texts.next()
	node.Segment = piece
	return node
}

// reset clears all nodes and makes them available again.
func (n *nodes) reset() {
	n.texts.reset()
	n.emphases.reset()
	n.links.reset()
	n.codes.reset()
}

const (
	// slabChunk is the number of nodes allocated together.
	slabChunk = 16
	// slabKeep is the maximum number of chunks kept for later pages. It is enough for a page of two thousand words.
	slabKeep = 32
)

// slab allocates zero values in chunks.
type slab[T any] struct {
	chunks [][]T
	// chunk is the index of the current chunk, and used is the number of values taken from it.
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

// reset clears the used values and makes them available again. It keeps at most slabKeep chunks.
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
