package markdown

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
	work := d.work
	*d = Document{parser: d.parser, path: d.path}
	work.clear()
	d.parser.workspaces.Put(work)
}
