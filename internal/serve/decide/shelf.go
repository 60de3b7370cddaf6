package decide

import (
	"sync"
	"unsafe"
)

// Shelf is an in-memory file that contains the large bodies of a build, so that an engine can let the kernel send them
// without copying. Any other process that opens the file can only read it. It has space for all bodies; unused space
// takes up no memory. Its bytes are valid while the Shelf is reachable, so a caller that uses a body on the Shelf must
// keep the Shelf alive (runtime.KeepAlive).
type Shelf struct {
	fd    int
	bytes []byte

	mu   sync.Mutex
	used int
}

const (
	// leastShelved is the minimum size in bytes of a body on the shelf. From this size on, sending from a file is
	// cheaper than copying, although the header section needs a separate system call.
	leastShelved = 16 << 10
	// shelfStep is the alignment of bodies: a cache line of the processor.
	shelfStep = 64
)

// put copies body to the shelf and returns the copy. It returns nil if there is no space or no shelf.
func (s *Shelf) put(body []byte) []byte {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(body) > len(s.bytes)-s.used {
		return nil
	}
	place := s.bytes[s.used : s.used+len(body) : s.used+len(body)]
	s.used = min(len(s.bytes), (s.used+len(body)+shelfStep-1)/shelfStep*shelfStep)
	copy(place, body)
	return place
}

// Place returns the shelf's file descriptor and the offset of body in the file. ok is false if body is not on the
// shelf.
func (s *Shelf) Place(body []byte) (fd int, at int64, ok bool) {
	if s == nil || len(body) < leastShelved {
		return 0, 0, false
	}
	from := uintptr(unsafe.Pointer(unsafe.SliceData(body))) - uintptr(unsafe.Pointer(unsafe.SliceData(s.bytes)))
	if from >= uintptr(len(s.bytes)) {
		return 0, 0, false // on the heap
	}
	return s.fd, int64(from), true
}
