// Package voice counts constructions that make English hard to read, in documentation, comments, messages, and test
// names. It contains only tests.
package voice

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// limits are the maximum numbers of constructions per 1,000 words, keyed by kind of text. A hit is only a suggestion:
// keep the sentence if it is good.
var limits = map[byte]float64{'d': 1, 'm': 1.5, 't': 2, 'c': 1.5}

// kinds maps the letters in rules to the names of the kinds of text.
var kinds = map[byte]string{'d': "docs", 'c': "comments", 'm': "messages", 't': "test names"}

var (
	word      = regexp.MustCompile(`[A-Za-z][A-Za-z'’-]*`)
	codeSpan  = regexp.MustCompile("`+[^`]+`+")
	link      = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	anchor    = regexp.MustCompile(`<[^>]*>|https?://\S+`)
	formatted = regexp.MustCompile(`%[-+# 0]*[0-9*]*(?:\.[0-9*]+)?[a-zA-Z]`)
	testName  = regexp.MustCompile(`(?m)^func (?:Test|Fuzz|Benchmark)([A-Z]\w*)\(`)
	capital   = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	skipped   = regexp.MustCompile(`^(?:\.git|\.tools|\.ci|build|node_modules|testdata|stemmers|voice)$`)
)

// passage is a paragraph, a comment, a message, or the name of a test.
type passage struct {
	kind  byte
	place string
	text  string
}

func TestVoice(t *testing.T) {
	passages := collect(t, filepath.Join("..", "..", ".."))
	words := make(map[byte]int)
	hits := make(map[byte][]string)
	for _, p := range passages {
		words[p.kind] += len(word.FindAllString(p.text, -1))
		hits[p.kind] = append(hits[p.kind], find(p)...)
	}
	for kind, limit := range limits {
		if words[kind] == 0 {
			t.Errorf("no %s found", kinds[kind])
			continue
		}
		rate := 1000 * float64(len(hits[kind])) / float64(words[kind])
		t.Logf("%s: %.2f per 1,000 of %d words", kinds[kind], rate, words[kind])
		if rate > limit {
			list := hits[kind]
			t.Errorf("%s have %.2f stilted constructions per 1,000 words, want at most %g:\n%s", kinds[kind], rate, limit, strings.Join(list[:min(len(list), 100)], "\n"))
		}
	}
}

// TestRules checks that every rule finds its construction and accepts plain sentences.
func TestRules(t *testing.T) {
	for text, want := range map[string]string{
		"the link leads nowhere":                        "leads",
		"this stands in product.yaml":                   "stands",
		"nobody reads it":                               "nobody",
		"the file is refused":                           "is-refused",
		"each has a cache of its own":                   "of-own",
		"where it is missing, the build fails":          "where-if",
		"it takes some 10 KB":                           "some-number",
		"The build reports broken links with location.": "",
		"Vitrine rejects files it cannot read.":         "",
	} {
		got := find(passage{'d', "x:1", text})
		if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || !strings.Contains(strings.Join(got, "\n"), "["+want+":")) {
			t.Errorf("%q: got %q, want the rule %q", text, got, want)
		}
	}
}

type compiled struct {
	name, kinds, hint string
	pattern, except   *regexp.Regexp
}

var table = func() []compiled {
	var list []compiled
	for _, r := range rules {
		c := compiled{r.name, r.kinds, r.hint, regexp.MustCompile(`(?i)` + r.pattern), nil}
		if r.except != "" {
			c.except = regexp.MustCompile(`(?i)` + r.except)
		}
		list = append(list, c)
	}
	return list
}()

// find returns the constructions in p, each with its place, rule, and hint.
func find(p passage) []string {
	var found []string
	for _, r := range table {
		if strings.IndexByte(r.kinds, p.kind) < 0 {
			continue
		}
		for _, at := range r.pattern.FindAllStringIndex(p.text, -1) {
			if around := p.text[max(0, at[0]-12):min(len(p.text), at[1]+12)]; r.except == nil || !r.except.MatchString(around) {
				found = append(found, fmt.Sprintf("%s: %q [%s: %s]", p.place, p.text[at[0]:at[1]], r.name, r.hint))
			}
		}
	}
	return found
}

// collect returns all passages in the repository at root.
func collect(t *testing.T, root string) []passage {
	t.Helper()
	var all []passage
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if d.IsDir() {
			if name != "." && skipped.MatchString(d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		kind := kindOf(name)
		if kind == 0 {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if kind == 'g' {
			all = append(all, goPassages(name, data)...)
		} else {
			all = append(all, markdownPassages(kind, name, string(data))...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// kindOf returns the kind of the named file: 'g' for Go, 'd' for documentation, 'm' for rule explanations, or 0 for
// other files.
func kindOf(name string) byte {
	switch {
	case strings.HasSuffix(name, ".go"):
		return 'g'
	case !strings.HasSuffix(name, ".md"):
		return 0
	case strings.HasPrefix(name, "docs/"), !strings.Contains(name, "/"):
		return 'd'
	case strings.HasPrefix(name, "internal/rule/text/"):
		return 'm'
	}
	return 0
}

// goPassages returns the comments, messages, and test names of a Go file.
func goPassages(name string, source []byte) []passage {
	var found []passage
	test := strings.HasSuffix(name, "_test.go")
	files := token.NewFileSet()
	file := files.AddFile(name, -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	for {
		pos, kind, literal := s.Scan()
		if kind == token.EOF {
			break
		}
		place := fmt.Sprintf("%s:%d", name, file.Line(pos))
		if kind == token.COMMENT && !strings.HasPrefix(literal, "//go:") {
			found = append(found, passage{'c', place, plain(strings.Trim(literal, "/* \t\n"))})
		}
		if kind == token.STRING && !test {
			if text, err := strconv.Unquote(literal); err == nil && isMessage(text) {
				found = append(found, passage{'m', place, plain(text)})
			}
		}
	}
	if test {
		for _, m := range testName.FindAllSubmatchIndex(source, -1) {
			text := capital.ReplaceAllString(string(source[m[2]:m[3]]), "$1 $2")
			found = append(found, passage{'t', fmt.Sprintf("%s:%d", name, file.Line(file.Pos(m[2]))), text})
		}
	}
	return found
}

// isMessage reports whether a string is prose: four words or more, and mostly letters.
func isMessage(text string) bool {
	if len(word.FindAllString(formatted.ReplaceAllString(text, ""), -1)) < 4 || strings.ContainsAny(text, "<>{}=\\") {
		return false
	}
	letters := 0
	for _, r := range text {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune(" ,.'’", r) {
			letters++
		}
	}
	return 20*letters >= 17*len([]rune(text))
}

// markdownPassages returns the lines of a Markdown file as paragraphs, items, and cells, without code and comments.
func markdownPassages(kind byte, name, source string) []passage {
	var found []passage
	var paragraph []string
	start, fence, comment := 0, "", false
	flush := func() {
		if len(paragraph) > 0 {
			found = append(found, passage{kind, fmt.Sprintf("%s:%d", name, start), plain(strings.Join(paragraph, " "))})
		}
		paragraph = nil
	}
	for i, line := range strings.Split(source, "\n") {
		s := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(s, fence) {
				fence = ""
			}
		case comment:
			comment = !strings.Contains(s, "-->")
		case strings.HasPrefix(s, "```"), strings.HasPrefix(s, "~~~"):
			flush()
			fence = s[:3]
		case strings.HasPrefix(s, "<!--"):
			flush()
			comment = !strings.Contains(s, "-->")
		case s == "" || strings.HasPrefix(s, "<") || strings.HasPrefix(s, ":::"):
			flush()
		case strings.HasPrefix(s, "|"):
			flush()
			for _, cell := range strings.Split(codeSpan.ReplaceAllString(s, "CODE"), "|") {
				found = append(found, passage{kind, fmt.Sprintf("%s:%d", name, i+1), plain(strings.TrimSpace(cell))})
			}
		default:
			if item := regexp.MustCompile(`^(?:[-*+>#]+|\d+[.)]) `).FindString(s); item != "" {
				flush()
				s = strings.TrimPrefix(s, item)
			}
			if len(paragraph) == 0 {
				start = i + 1
			}
			paragraph = append(paragraph, s)
		}
	}
	flush()
	return found
}

// plain returns prose without code, links, and formatting verbs.
func plain(text string) string {
	text = codeSpan.ReplaceAllString(text, "CODE")
	text = link.ReplaceAllString(text, "$1")
	text = anchor.ReplaceAllString(text, "CODE")
	text = formatted.ReplaceAllString(text, "ARG")
	return strings.Join(strings.Fields(text), " ")
}
