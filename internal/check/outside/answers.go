package outside

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Cache lifetimes of good and bad responses. Bad responses expire sooner, so that the check notices a fixed site.
const (
	keepGood = 24 * time.Hour
	keepBad  = time.Hour
)

// answer is a host's response to a link check.
type answer struct {
	Status int `json:"status,omitempty"`
	// Moved is the URL to which the host permanently redirected the request, or "" if it didn't.
	Moved string `json:"moved,omitempty"`
	// Error explains why there was no response, or is "" if there was one.
	Error string    `json:"error,omitempty"`
	At    time.Time `json:"at"`
}

func (a answer) good() bool { return a.Error == "" && a.Status < 400 && a.Status != 0 }

// answers contains the responses in this run and earlier runs, keyed by URL. It is safe for concurrent use.
type answers struct {
	file string
	now  time.Time
	mu   sync.Mutex
	by   map[string]answer
}

// openAnswers reads the responses in file that are still fresh. It treats a missing or invalid file as empty. If file
// is "", responses aren't cached between runs.
func openAnswers(file string, now time.Time) (*answers, error) {
	a := &answers{file: file, now: now, by: make(map[string]answer)}
	if file == "" {
		return a, nil
	}
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the cache of external links: %w", err)
	}
	if err == nil && json.Unmarshal(text, &a.by) != nil {
		a.by = make(map[string]answer)
	}
	for link := range a.by {
		if !a.isFresh(a.by[link]) {
			delete(a.by, link)
		}
	}
	return a, nil
}

func (a *answers) isFresh(got answer) bool {
	keep := keepBad
	if got.good() {
		keep = keepGood
	}
	age := a.now.Sub(got.At)
	return age >= 0 && age < keep
}

func (a *answers) fresh(link string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	got, ok := a.by[link]
	return ok && a.isFresh(got)
}

func (a *answers) of(link string) answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.by[link]
}

func (a *answers) put(link string, got answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.by[link] = got
}

// save replaces the cache file atomically. It does nothing if responses aren't cached.
func (a *answers) save() error {
	if a.file == "" {
		return nil
	}
	text, err := json.MarshalIndent(a.by, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the cache of external links: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(a.file), 0o755); err != nil {
		return fmt.Errorf("writing the cache of external links: %w", err)
	}
	draft := a.file + ".new"
	err = os.WriteFile(draft, text, 0o644)
	if err == nil {
		err = os.Rename(draft, a.file)
	}
	if err != nil {
		return fmt.Errorf("writing the cache of external links: %w", err)
	}
	return nil
}

// plain formats a request's error without the URL, because the problem's message contains the URL.
func plain(err error) string {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		if wrapped.Timeout() {
			return "the request timed out"
		}
		return wrapped.Err.Error()
	}
	return err.Error()
}
