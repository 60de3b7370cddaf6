package image

import "sync"

// decoded is how many bytes of images are decoded at one time. An image that
// needs more waits until it is alone.
const decoded = 384 << 20

// space is what is free of them.
type space struct {
	mu    sync.Mutex
	freed *sync.Cond
	bytes int64
}

func newSpace() *space {
	s := &space{bytes: decoded}
	s.freed = sync.NewCond(&s.mu)
	return s
}

// take waits until there is space for an image, and returns what gives it back.
func (s *space) take(bytes int64) (give func()) {
	bytes = min(bytes, decoded)
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.bytes < bytes {
		s.freed.Wait()
	}
	s.bytes -= bytes
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.bytes += bytes
		s.freed.Broadcast()
	}
}
