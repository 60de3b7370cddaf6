// Package storage provides object storage for tests: a small in-memory S3 server, and a handler that makes it fail.
package storage

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Object is a stored object with its HTTP header fields.
type Object struct {
	Body   []byte
	Header http.Header
}

// Memory is an in-memory server with one bucket. It checks content hashes and preconditions, but not signatures.
type Memory struct {
	// Unconditional makes the server ignore preconditions on writes.
	Unconditional bool

	mu      sync.Mutex
	objects map[string]Object
}

// Get returns the object with the given key. ok is false if there is none.
func (m *Memory) Get(key string) (Object, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o, ok := m.objects[key]
	return o, ok
}

// Keys returns the keys that start with prefix, in no particular order.
func (m *Memory) Keys(prefix string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var keys []string
	for key := range m.objects {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Put replaces the bytes of an object and keeps its header fields.
func (m *Memory) Put(key string, body []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.objects[key]
	o.Body = body
	m.objects[key] = o
}

// Problem responds with an error in S3's XML format. code is the error code that S3 defines, such as AccessDenied.
func Problem(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, code)
}

func (m *Memory) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client disconnected
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.objects == nil {
		m.objects = make(map[string]Object)
	}
	switch old, exists := m.objects[key]; {
	case r.Method == http.MethodPut:
		m.put(w, r, key, body)
	case r.Method == http.MethodPost && r.URL.Query().Has("delete"):
		var request struct {
			Object []struct{ Key string }
		}
		if err := xml.Unmarshal(body, &request); err != nil {
			Problem(w, http.StatusBadRequest, "MalformedXML")
			return
		}
		for _, o := range request.Object {
			delete(m.objects, o.Key)
		}
		fmt.Fprint(w, "<DeleteResult></DeleteResult>")
	case r.Method != http.MethodGet:
		Problem(w, http.StatusNotImplemented, "NotImplemented")
	case !exists:
		Problem(w, http.StatusNotFound, "NoSuchKey")
	case r.Header.Get("If-None-Match") == etag(old.Body):
		w.WriteHeader(http.StatusNotModified)
	default:
		for name, values := range old.Header {
			w.Header()[name] = values
		}
		w.Header().Set("ETag", etag(old.Body))
		w.Header().Set("Last-Modified", time.Unix(0, 0).UTC().Format(http.TimeFormat))
		w.Header().Set("Content-Length", fmt.Sprint(len(old.Body)))
		_, _ = w.Write(old.Body)
	}
}

func (m *Memory) put(w http.ResponseWriter, r *http.Request, key string, body []byte) {
	old, exists := m.objects[key]
	match, none := r.Header.Get("If-Match"), r.Header.Get("If-None-Match")
	sum := sha256.Sum256(body)
	switch {
	case r.Header.Get("X-Amz-Checksum-Sha256") != base64.StdEncoding.EncodeToString(sum[:]) || r.Header.Get("X-Amz-Content-Sha256") != hex.EncodeToString(sum[:]):
		Problem(w, http.StatusBadRequest, "BadDigest")
	case m.Unconditional:
		m.store(w, r, key, body)
	case match != "" && !exists:
		Problem(w, http.StatusNotFound, "NoSuchKey")
	case match != "" && strings.Trim(match, `"`) != strings.Trim(etag(old.Body), `"`), none == "*" && exists:
		Problem(w, http.StatusPreconditionFailed, "PreconditionFailed")
	default:
		m.store(w, r, key, body)
	}
}

func (m *Memory) store(w http.ResponseWriter, r *http.Request, key string, body []byte) {
	o := Object{Body: body, Header: make(http.Header)}
	for _, name := range []string{"Content-Type", "Cache-Control", "Content-Encoding", "X-Amz-Checksum-Sha256"} {
		if v := r.Header.Get(name); v != "" {
			o.Header.Set(name, v)
		}
	}
	m.objects[key] = o
	w.Header().Set("ETag", etag(body))
}

func etag(body []byte) string { return fmt.Sprintf(`"%x"`, md5.Sum(body)) }

// Faults is a handler that passes requests to Next and makes some of them fail.
type Faults struct {
	Next http.Handler
	// Rate is the fraction of requests to disturb, from 0 to 1.
	Rate float64
	// Failed is the number of disturbed requests, including requests that were only delayed, but not requests made
	// while Down is set.
	Failed atomic.Int64
	// Down makes every request fail with 403.
	Down atomic.Bool
}

// ServeHTTP passes on a request or disturbs it: it responds with 500 or 503, drops the response to a successful
// request, truncates the response's body, or delays it.
func (f *Faults) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f.Down.Load() {
		Problem(w, http.StatusForbidden, "AccessDenied") // clients don't retry after 403
		return
	}
	if rand.Float64() >= f.Rate {
		f.Next.ServeHTTP(w, r)
		return
	}
	f.Failed.Add(1)
	switch rand.IntN(5) {
	case 0:
		Problem(w, http.StatusInternalServerError, "InternalError")
	case 1:
		Problem(w, http.StatusServiceUnavailable, "SlowDown")
	case 2:
		f.Next.ServeHTTP(&discard{header: make(http.Header)}, r)
		panic(http.ErrAbortHandler)
	case 3:
		f.Next.ServeHTTP(&truncating{ResponseWriter: w}, r)
	case 4:
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
		f.Next.ServeHTTP(w, r)
	}
}

type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}

// truncating is a response writer that sends half of the body and then drops the connection.
type truncating struct{ http.ResponseWriter }

func (t *truncating) Write(p []byte) (int, error) {
	_, _ = t.ResponseWriter.Write(p[:len(p)/2])
	if f, ok := t.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
	panic(http.ErrAbortHandler)
}
