package check

import (
	"strings"
	"testing"
)

// What is code is the same whether places are asked for one after another or alone,
// and is what a reader of the text would say.
func TestInCode(t *testing.T) {
	text := strings.ReplaceAll("A `b` c.\n\n> ~~~\n> in ` a block\n> ~~~\n\nAn odd ` tick\non two lines\n\nOut.\n```go\nin\n```\nout `in` out\n", "~", "`")
	code := codeFinder{text: []byte(text)}
	for at := range text {
		alone := codeFinder{text: []byte(text)}
		if code.inCode(at) != alone.inCode(at) {
			t.Errorf("at %d, %.20q: otherwise where it is asked for alone", at, text[at:])
		}
	}
	for part, want := range map[string]bool{
		"A `b": false, "b` c": true, "c.": false, "in ` a": true, "An odd": false,
		"on two": true, "Out.": false, "in\n": true, "out `": false, "in` out": true,
	} {
		finder := codeFinder{text: []byte(text)}
		if got := finder.inCode(strings.Index(text, part)); got != want {
			t.Errorf("%q: %t", part, got)
		}
	}
}
