package preview

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// recorder keeps an answer, so that it can be changed before it is sent.
type recorder struct {
	header http.Header
	status int
	body   []byte
}

func (a *recorder) Header() http.Header { return a.header }

func (a *recorder) WriteHeader(status int) { a.status = status }

func (a *recorder) Write(b []byte) (int, error) {
	a.body = append(a.body, b...)
	return len(b), nil
}

// mediaType is that of the answer, without parameters.
func (a *recorder) mediaType() string { return mediaType(a.header.Get("Content-Type")) }

// replace makes another body the answer's. It has no validator: what is never
// stored is never asked for again on conditions.
func (a *recorder) replace(body []byte) {
	a.body = body
	a.drop("ETag")
	a.header.Set("Content-Length", strconv.Itoa(len(body)))
}

// drop takes a field away, however its name is spelt: the production server
// writes names as the standards do, not as net/http has them.
func (a *recorder) drop(name string) {
	for other := range a.header {
		if strings.EqualFold(other, name) {
			delete(a.header, other)
		}
	}
}

// send sends the answer with the fields of a preview, which come before those of
// the production server.
func (a *recorder) send(w http.ResponseWriter) {
	a.drop("CDN-Cache-Control")
	for name, values := range a.header {
		if w.Header()[name] == nil {
			w.Header()[name] = slices.Clone(values)
		}
	}
	w.WriteHeader(a.status)
	if len(a.body) > 0 {
		// Who went away needs no answer.
		_, _ = w.Write(a.body)
	}
}
