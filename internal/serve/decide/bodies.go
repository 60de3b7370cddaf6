package decide

import (
	"sync"
	"sync/atomic"

	"vitrine/internal/artifact"
)

// bodies caches a build's bodies after their first request. It packs small bodies into large chunks of memory. Separate
// allocations would round up the size of each body, and the garbage collector would have to track each allocation. A
// chunk on the heap is an ordinary Go object, so it stays valid while any response uses part of it, even after the site
// is replaced. A body on the shelf is valid only while the response keeps the shelf alive; see Answer.Shelf.
type bodies struct {
	build *artifact.Build
	// shelf contains the large bodies as separate chunks, or is nil.
	shelf *Shelf
	// places contains the locations of the bodies by index. A place is 0 if the body hasn't been requested yet.
	// Otherwise, it consists of the chunk's number, from 1, and the body's offset in the chunk.
	places []atomic.Uint64
	// digests contains the SHA-256 hashes of the bodies with a place, or is nil if the site doesn't send digests. A
	// digest is written before its body's place, and never after.
	digests []artifact.SHA256
	// chunks is append-only. A chunk's bytes are written before a place in the chunk is stored, and never after.
	chunks atomic.Pointer[[][]byte]

	// reading is a set of mutexes, selected by body index. A request holds the mutex of a body while it reads the body
	// from disk. Otherwise, each of 1,000 concurrent first requests would hold its own copy of the body and block a
	// system thread on the disk.
	reading [64]sync.Mutex

	mu sync.Mutex
	// next is the place of the next body in the shared chunk, or 0 if there is no shared chunk.
	next uint64
	// free is the number of bytes left in the shared chunk.
	free int
	// scratch contains buffers for bodies that haven't been verified yet.
	scratch sync.Pool
}

const (
	chunkSize = 1 << 20
	// largestShared is the maximum size in bytes of a body in a shared chunk. A larger body gets its
	// own chunk, because it could leave too much of a shared chunk empty.
	largestShared = chunkSize / 16
	// chunkBits is the number of bits by which a chunk number is shifted in a place.
	chunkBits = 32
)

func newBodies(build *artifact.Build) *bodies {
	count := build.Manifest.BodyCount()
	b := &bodies{build: build, places: make([]atomic.Uint64, count), shelf: newShelf(build.Manifest.Size + int64(count)*shelfStep)}
	if build.Manifest.ReprDigest {
		b.digests = make([]artifact.SHA256, count)
	}
	b.chunks.Store(&[][]byte{})
	b.scratch.New = func() any { return new([largestShared]byte) }
	return b
}

// get returns the body i of the variant v. On the first call for a body, it reads the body and checks its hash. size is
// the body's size according to the manifest.
func (b *bodies) get(v artifact.VariantIndex, i artifact.BodyIndex, size int64) ([]byte, error) {
	if place := b.places[i].Load(); place != 0 {
		return b.at(place, size), nil
	}
	one := &b.reading[int(i)%len(b.reading)]
	one.Lock()
	defer one.Unlock()
	if place := b.places[i].Load(); place != 0 {
		return b.at(place, size), nil
	}
	if size > largestShared {
		body, err := b.build.Read(v, i)
		if err != nil {
			return nil, err
		}
		return b.keep(i, body, b.own), nil
	}
	// Verify a body before it takes space in a chunk. Otherwise, repeated requests for a damaged body would use more
	// and more memory.
	buffer := b.scratch.Get().(*[largestShared]byte)
	defer b.scratch.Put(buffer)
	body, err := b.build.ReadInto(v, i, func(n int) []byte { return buffer[:n] })
	if err != nil {
		return nil, err
	}
	return b.keep(i, body, b.share), nil
}

// digest returns the SHA-256 hash of a body already returned by get, or nil if the site doesn't send digests.
func (b *bodies) digest(i artifact.BodyIndex) *artifact.SHA256 {
	if b.digests == nil {
		return nil
	}
	return &b.digests[i]
}

// keep stores body i and returns the stored bytes. makePlace must put the body into its final memory and return its
// place.
func (b *bodies) keep(i artifact.BodyIndex, body []byte, makePlace func([]byte) uint64) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	place := makePlace(body)
	if b.digests != nil {
		b.digests[i] = *artifact.NewSHA256(body)
	}
	b.places[i].Store(place)
	return b.at(place, int64(len(body)))
}

// own stores a body on the shelf or, if the shelf has no space, makes the body's buffer a chunk.
func (b *bodies) own(body []byte) uint64 {
	if place := b.shelf.put(body); place != nil {
		return b.add(place)
	}
	return b.add(body)
}

// share copies a body to the shelf or into a shared chunk.
func (b *bodies) share(body []byte) uint64 {
	if len(body) >= leastShelved {
		if place := b.shelf.put(body); place != nil {
			return b.add(place)
		}
	}
	if b.next == 0 || b.free < len(body) {
		b.next, b.free = b.add(make([]byte, chunkSize)), chunkSize
	}
	place := b.next
	copy(b.at(place, int64(len(body))), body)
	b.next += uint64(len(body))
	b.free -= len(body)
	return place
}

// add adds a chunk and returns the place of its first byte.
func (b *bodies) add(chunk []byte) uint64 {
	chunks := append(*b.chunks.Load(), chunk)
	b.chunks.Store(&chunks)
	return uint64(len(chunks)) << chunkBits
}

func (b *bodies) at(place uint64, size int64) []byte {
	chunk := (*b.chunks.Load())[place>>chunkBits-1]
	from := int64(place & (1<<chunkBits - 1))
	return chunk[from : from+size : from+size]
}
