package markdown

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/site"
)

// specExample is an example from a specification: its text and its HTML.
type specExample struct {
	Example        int
	Section        string
	Markdown, HTML string
}

// Every example of CommonMark and of GitHub's extensions renders to the specified HTML. Its twin renders to the same
// HTML. testdata/spec/deviations.txt lists the deviations with reasons. The test fails for an unlisted deviation and
// for a listed example that agrees.
func TestSpecifications(t *testing.T) {
	reasons := readDeviations(t)
	p := New(Options{})
	for _, suite := range []string{"commonmark", "gfm", "cmark-gfm"} {
		t.Run(suite, func(t *testing.T) {
			agree, examples := 0, readSuite(t, suite)
			for _, e := range examples {
				name := fmt.Sprintf("%s %d", suite, e.Example)
				reason := reasons[name]
				delete(reasons, name)
				d := p.Parse("x.md", []byte(e.Markdown), 0)
				html, twin := render(t, d)
				if reported := slices.ContainsFunc(d.Problems(), func(p site.Problem) bool { return p.Severity == site.Error }); reported != strings.HasPrefix(reason, "An error") {
					t.Errorf("%s: an error is reported: %v, listed as: %s", name, reported, reason)
				}
				again, twinAgain := render(t, p.Parse("x.md", []byte(twin), 0))
				if again != html || twin != twinAgain {
					t.Errorf("%s: the Markdown form\n%s\nof\n%s\ngives\n%s\nnot\n%s", name, twin, e.Markdown, again, html)
				}
				switch got, want := commonForm(html), commonForm(e.HTML); {
				case got == want && reason != "":
					t.Errorf("%s agrees, but is listed: %s", name, reason)
				case got == want:
					agree++
				case reason == "":
					t.Errorf("%s (%s):\n%s\ngives\n%s\nnot\n%s", name, e.Section, e.Markdown, got, want)
				}
			}
			t.Logf("%d examples, %d agree, %d deviate", len(examples), agree, len(examples)-agree)
		})
	}
	for name := range reasons {
		t.Errorf("deviations.txt lists %s, which doesn't exist", name)
	}
}

func readSuite(t *testing.T, name string) (examples []specExample) {
	t.Helper()
	text, err := os.ReadFile("testdata/spec/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var e specExample
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		examples = append(examples, e)
	}
	return examples
}

// readDeviations returns the reasons for deviations, keyed by example, such as "commonmark 81". In the file, each
// reason is a paragraph, and the lines after it list the examples of each suite.
func readDeviations(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/spec/deviations.txt")
	if err != nil {
		t.Fatal(err)
	}
	reasons := make(map[string]string)
	for paragraph := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		reason, examples, _ := strings.Cut(paragraph, "\n")
		for line := range strings.Lines(examples) {
			fields := strings.Fields(line)
			for _, number := range fields[1:] {
				name := fields[0] + " " + number
				if reasons[name] != "" {
					t.Errorf("%s is listed twice", name)
				}
				reasons[name] = reason
			}
		}
	}
	return reasons
}

// These patterns remove differences in notation from the specified HTML: a page has HTML5 tags, some of which have
// attributes for screen readers, and classes replace other attributes.
var (
	commonTags = strings.NewReplacer(" />", ">", `<input disabled="" type="checkbox">`, "[ ]", `<input type="checkbox" disabled="">`, "[ ]", `<input type="checkbox" disabled="" />`, "[ ]",
		`<input type="checkbox" checked="" disabled="" />`, "[x]", `<input checked="" disabled="" type="checkbox">`, "[x]",
		`<input type="checkbox" disabled aria-label="Incomplete task">`, "[ ]", `<input type="checkbox" disabled checked aria-label="Completed task">`, "[x]")
	commonNoise = regexp.MustCompile(`( id| tabindex| role| aria-label| loading| decoding)="[^"]*"|<div class="table"[^>]*>\n|(</table>)\n</div>`)
	commonAlign = regexp.MustCompile(` class="align-(\w+)"`)
	commonCode  = regexp.MustCompile(`<code class="language-[^"]*">`)
	emptyHeader = regexp.MustCompile(`<th( align="\w+")?></th>`)
)

func commonForm(html string) string {
	html = commonNoise.ReplaceAllString(commonTags.Replace(html), "$2")
	html = commonAlign.ReplaceAllString(html, ` align="$1"`)
	html = commonCode.ReplaceAllString(html, "<code>")
	return emptyHeader.ReplaceAllString(html, "<td$1></td>")
}
