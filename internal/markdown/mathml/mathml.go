// Package mathml converts TeX to MathML. It is the only package that uses github.com/wyatt915/treeblood, and guards
// against that library's panics, logging, and unwanted markup.
package mathml

import (
	"errors"
	"fmt"
	"io"
	"log"
	"slices"
	"strings"
	"sync"
	_ "unsafe" // for go:linkname

	"github.com/wyatt915/treeblood"
	"golang.org/x/net/html"
)

// logger is the library's logger. It writes warnings about valid TeX, such as "[0, 1)", to standard error and can't be
// disabled.
//
//go:linkname logger github.com/wyatt915/treeblood.logger
var logger *log.Logger

// quiet discards the output of the library's logger.
var quiet = sync.OnceFunc(func() { logger.SetOutput(io.Discard) })

// Converter converts TeX to MathML and caches the results, because the same expressions appear on many pages and in
// titles. The zero value is ready to use. A Converter is safe for concurrent use.
type Converter struct {
	mu   sync.Mutex
	made map[expression]result
}

type expression struct {
	tex     string
	display bool
}

type result struct {
	marked string
	err    error
}

// maxMade is the maximum number of cached expressions. When the cache is full, it is emptied.
const maxMade = 4096

// Convert returns tex as MathML on one line, as a block if display is set. It returns an error for invalid TeX.
func (c *Converter) Convert(tex string, display bool) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := expression{tex, display}
	if known, ok := c.made[key]; ok {
		return known.marked, known.err
	}
	var made result
	made.marked, made.err = convert(tex, display)
	if len(c.made) >= maxMade || c.made == nil {
		c.made = make(map[expression]result)
	}
	c.made[key] = made
	return made.marked, made.err
}

// convert is like Convert, but without the cache.
func convert(tex string, display bool) (marked string, err error) {
	if tex == "" {
		return "", errors.New("this math is empty; write TeX between the dollar signs, or \\$ for a literal dollar sign")
	}
	quiet()
	marked, ok, err := read(tex, display)
	if !ok {
		return "", fmt.Errorf("math: %q cannot be read as TeX; check its braces and commands", tex)
	}
	if err != nil {
		what, _, _ := strings.Cut(err.Error(), "<pre>")
		what, _, _ = strings.Cut(strings.Join(strings.Fields(what), " "), " at position")
		return "", fmt.Errorf("math: %s in %q; complete the expression, and write \\$ for a literal dollar sign", what, tex)
	}
	return clean(marked, display)
}

// read calls github.com/wyatt915/treeblood, which panics on some invalid TeX. ok is false if it panicked.
func read(tex string, display bool) (marked string, ok bool, err error) {
	defer func() { ok = recover() == nil }()
	document := treeblood.NewDocument(nil, false)
	if display {
		marked, err = document.DisplayStyle(tex)
	} else {
		marked, err = document.TextStyle(tex)
	}
	return marked, true, err
}

// clean returns marked, the library's output, with only the attributes of MathML, sorted by name. It drops styles,
// which the site's content security policy rejects, and escapes text, which the library doesn't do. It returns an error
// if marked contains an element that isn't MathML, or text that the library marked as an unknown command.
func clean(marked string, display bool) (string, error) {
	var out strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(marked))
	inText, wrong := false, ""
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			break
		}
		token := tokens.Token()
		switch kind {
		case html.StartTagToken, html.SelfClosingTagToken:
			if !slices.Contains(elements, token.Data) {
				return "", fmt.Errorf("math: < is not supported in text; write \\lt outside \\text{}")
			}
			wrong = open(&out, token, display, wrong)
			inText = token.Data == "mtext" || token.Data == "annotation" || token.Data == "merror"
			if kind == html.SelfClosingTagToken {
				out.WriteString("</" + token.Data + ">")
			}
		case html.EndTagToken:
			if slices.Contains(elements, token.Data) {
				out.WriteString("</" + token.Data + ">")
				inText = false
			}
		case html.TextToken:
			text := token.Data
			if !inText {
				text = strings.TrimSpace(text)
			}
			if wrong == "?" {
				wrong = strings.TrimSpace(text)
			}
			out.WriteString(html.EscapeString(text))
		}
	}
	if wrong != "" {
		return "", fmt.Errorf("math: unknown command \\%s; check its spelling", wrong)
	}
	return out.String(), nil
}

// open writes a start tag. wrong is the first unknown command found so far, or "". If the tag marks the first unknown
// command, open returns "?", and the following text is the command's name. Otherwise, it returns wrong.
func open(out *strings.Builder, token html.Token, display bool, wrong string) string {
	out.WriteString("<" + token.Data)
	written := token.Attr
	if token.Data == "math" {
		written = nil
		if display {
			written = []html.Attribute{{Key: "display", Val: "block"}}
		}
	}
	slices.SortFunc(written, func(a, b html.Attribute) int { return strings.Compare(a.Key, b.Key) })
	for _, a := range written {
		if a.Key == "strechy" {
			a.Key = "stretchy"
		}
		if slices.Contains(attributes, a.Key) {
			out.WriteString(" " + a.Key + `="` + html.EscapeString(a.Val) + `"`)
		}
	}
	out.WriteString(">")
	if token.Data == "merror" && wrong == "" {
		return "?"
	}
	return wrong
}

var (
	elements = []string{"math", "semantics", "annotation", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msup", "msub", "msubsup", "munder",
		"mover", "munderover", "msqrt", "mroot", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "menclose", "mmultiscripts", "mprescripts", "none", "merror"}
	attributes = []string{"accent", "accentunder", "columnspan", "depth", "display", "displaystyle", "encoding", "fence", "form", "height", "largeop",
		"linethickness", "lspace", "mathcolor", "mathsize", "mathvariant", "maxsize", "minsize", "movablelimits", "notation", "rowspan", "rspace", "scriptlevel",
		"separator", "stretchy", "symmetric", "voffset", "width"}
)
