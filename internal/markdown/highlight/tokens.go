package highlight

import (
	"errors"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/dlclark/regexp2/v2"
)

// stopClock disables the timeouts of the lexers' regular expressions. Chroma treats a match that takes more than 250 ms
// as no match. Package regexp2 measures the time with a clock that is up to 100 ms late, and later on a busy machine,
// so identical code could get different HTML. The clock first advances after one period, so it never advances if the
// period is longer than any build.
var stopClock = sync.OnceFunc(func() { regexp2.SetTimeoutCheckPeriod(math.MaxInt64 / 2) })

// ErrEndless is the error for code whose highlighting takes too long.
var ErrEndless = errors.New("highlighting this code takes too long; remove the language after the fence, or shorten the code")

// maxTurns is the maximum time in seconds that a lexer may take for one block. The size limits keep the slowest known
// code to about two seconds. A timeout fails the build, so the time never affects a build's output.
const maxTurns = 120

// tokens splits code into tokens, or returns nil if the lexer fails. The error is ErrEndless or nil.
func (h *Highlighter) tokens(language, code string) ([]chroma.Token, error) {
	stopClock()
	lexer := h.lexers.get(language)
	if lexer == nil {
		return nil, nil
	}
	// A ticker drops ticks that aren't received, so a process that was suspended and resumed loses only one turn.
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	return inTurns(maxTurns, ticker.C, func(abandoned *atomic.Bool) []chroma.Token { return tokenise(lexer, code, abandoned) })
}

// inTurns calls read in a goroutine, and returns its result, or ErrEndless after the given number of ticks of turn. A
// regular expression can't be interrupted, so the goroutine continues until read notices that abandoned is set.
func inTurns(turns int, turn <-chan time.Time, read func(abandoned *atomic.Bool) []chroma.Token) ([]chroma.Token, error) {
	var abandoned atomic.Bool
	done := make(chan []chroma.Token, 1)
	go func() { done <- read(&abandoned) }()
	for {
		select {
		case tokens := <-done:
			return tokens, nil
		case <-turn:
			if turns--; turns == 0 {
				abandoned.Store(true)
				return nil, ErrEndless
			}
		}
	}
}

// tokenise splits code into tokens, or returns nil if the lexer fails or was abandoned.
func tokenise(lexer chroma.Lexer, code string, abandoned *atomic.Bool) (tokens []chroma.Token) {
	// Recover only from panics in github.com/alecthomas/chroma/v2, whose lexers panic if their rules are invalid, for
	// example because of an unknown state. There are too many lexers to rule out invalid rules. After a panic, the code
	// isn't highlighted.
	defer func() {
		if recover() != nil {
			tokens = nil
		}
	}()
	iterator, err := chroma.Coalesce(lexer).Tokenise(nil, code)
	if err != nil {
		return nil
	}
	rest := code
	for token := iterator(); token != chroma.EOF; token = iterator() {
		if abandoned.Load() || !strings.HasPrefix(rest, token.Value) {
			return nil
		}
		rest = rest[len(token.Value):]
		tokens = append(tokens, token)
	}
	if len(rest) > 0 {
		return nil
	}
	return tokens
}
