package serve

import (
	"sync"
	"unsafe"
)

// Shelf is a file in memory that has the large bodies of a build, so that an engine can let the
// kernel send from it without copying them. Others who open the file can only read it. It has
// room for all bodies; what is not used takes no memory. Its bytes are there for as long as the
// Shelf is in use: who holds a part of them has to hold it too (runtime.KeepAlive).
type Shelf struct {
	fd    int
	bytes []byte

	mu   sync.Mutex
	used int
}

const (
	// leastShelved is where sending from a file costs less than copying: the head is a call of its own.
	leastShelved = 16 << 10
	// shelfStep is where bodies begin: on a line of the processor's cache.
	shelfStep = 64
)

// put copies a body to the shelf; nil where there is no room, or no shelf.
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

// Place is where a body lies in the shelf's file; false where it does not.
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
