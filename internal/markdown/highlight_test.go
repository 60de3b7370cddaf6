package markdown

import (
	"bytes"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/dlclark/regexp2/v2"
)

// No clock affects the matches of a lexer's regular expression: one that takes longer than its own limit ends as if
// it had no limit.
func TestHighlightHasNoClock(t *testing.T) {
	stopClock()
	slow := regexp2.MustCompile(`(?:a|a)*b`)
	slow.MatchTimeout = time.Nanosecond
	if _, err := slow.MatchString(strings.Repeat("a", 18)); err != nil {
		t.Errorf("an expression was ended by the clock: %v", err)
	}
}

// A lexer that doesn't end causes an error after a number of turns. A lexer that ends doesn't, regardless of its
// number of turns.
func TestHighlightEndless(t *testing.T) {
	turn := make(chan time.Time)
	ended := make(chan bool)
	endless := func(abandoned *atomic.Bool) []chroma.Token {
		for !abandoned.Load() {
			turn <- time.Time{}
		}
		close(ended)
		return make([]chroma.Token, 1)
	}
	if tokens, err := inTurns(5, turn, endless); !errors.Is(err, ErrEndless) || tokens != nil {
		t.Errorf("got %d tokens and the error %v", len(tokens), err)
	}
	// The last turn may wait for somebody to take it.
	select {
	case <-turn:
	case <-ended:
	}
	<-ended
	long := func(*atomic.Bool) []chroma.Token {
		for range 4 {
			turn <- time.Time{}
		}
		return make([]chroma.Token, 1)
	}
	if tokens, err := inTurns(5, turn, long); err != nil || len(tokens) != 1 {
		t.Errorf("got %d tokens and the error %v", len(tokens), err)
	}
}

// The error for code that does not end names the place of the language, and code is waited for once.
func TestHighlightFailure(t *testing.T) {
	p := New(Options{Highlight: true})
	p.highlighted.endless.Store(codeKey{"go", "var a\n"}, nil)
	doc := p.Parse("content/x.md", []byte("Text.\n\n```go\nvar a\n```\n"), 0)
	err := doc.WriteHTML(new(bytes.Buffer))
	var failure *Failure
	if !errors.As(err, &failure) {
		t.Fatalf("got %v", err)
	}
	const want = "content/x.md:3:4: error: highlighting this code does not end; remove the language after the fence, or shorten the code [V020]"
	if failure.Error() != want {
		t.Errorf("got %s\nwant %s", failure, want)
	}
}
