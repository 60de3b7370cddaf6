package visit

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"vitrine/internal/artifact"
)

// count counts r. It returns an error that wraps ErrEnough if the visitor may not send another request.
func (v *Visitor) count(r *http.Request) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.options.Most > 0 && v.sent >= v.options.Most {
		return fmt.Errorf("%w: %d requests were sent", ErrEnough, v.sent)
	}
	v.sent++
	if Counted(v.mount.Local(r.URL.RequestURI())) {
		v.counted++
	}
	return nil
}

// Counted reports whether a request for target counts toward the allowance.
func Counted(target string) bool {
	path, _, _ := strings.Cut(target, "?")
	operation := artifact.OperationPaths()
	return slices.Contains(operation[:], path)
}

// body is the body of a response. Closing the body frees the slot of its request.
type body struct {
	io.ReadCloser
	done func()
	once sync.Once
}

func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.once.Do(b.done)
	return err
}
