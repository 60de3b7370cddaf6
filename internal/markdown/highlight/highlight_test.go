package highlight

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

// The matches of a lexer's regular expression don't depend on a clock: an expression that takes longer than its own
// limit still matches.
func TestHighlightHasNoClock(t *testing.T) {
	stopClock()
	slow := regexp2.MustCompile(`(?:a|a)*b`)
	slow.MatchTimeout = time.Nanosecond
	if _, err := slow.MatchString(strings.Repeat("a", 18)); err != nil {
		t.Errorf("an expression was ended by the clock: %v", err)
	}
}

// A lexer that doesn't terminate causes an error after the given number of turns. A lexer that terminates earlier
// doesn't.
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
	// The last turn may wait for a receiver.
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

// A block whose highlighting doesn't terminate delays the build only once.
func TestHighlightWaitsOnce(t *testing.T) {
	var h Highlighter
	h.endless.Store(block{"go", "var a\n"}, nil)
	if _, ok, err := h.HTML("go", []byte("var a\n"), new(Budget)); ok || !errors.Is(err, ErrEndless) {
		t.Errorf("got %t and the error %v", ok, err)
	}
}

// Blocks without a known language don't use up the page's budget.
func TestBudgetOfPlainBlocks(t *testing.T) {
	var h Highlighter
	var budget Budget
	plain := bytes.Repeat([]byte("a\n"), maxHighlight/2)
	for range 2 * maxHighlightWork / (maxHighlight * maxHighlight) {
		for _, language := range []string{"", "nonsense"} {
			if _, ok, err := h.HTML(language, plain, &budget); ok || err != nil {
				t.Fatal(ok, err)
			}
		}
	}
	if _, ok, err := h.HTML("go", []byte("var a\n"), &budget); !ok || err != nil {
		t.Errorf("a block in Go is not highlighted: %v", err)
	}
}

// Language titles start with a capital letter, even if the names of their lexers don't.
func TestLanguageTitles(t *testing.T) {
	for language, want := range map[string]string{"md": "Markdown", "go": "Go", "js": "JavaScript", "vue": "Vue", "text": "", "nonsense": ""} {
		if got := Title(language); got != want {
			t.Errorf("%s is titled %q, want %q", language, got, want)
		}
	}
}
