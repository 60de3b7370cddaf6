//go:build proof

package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// hostile is a page that could make a Markdown program fail.
type hostile struct {
	name string
	text string
	// want is the required error. If it is "", the page must either be built or be rejected with a position.
	want string
}

// times is the number of repetitions of the pieces below, which come from cmark's pathological tests. A program with
// quadratic running time would need minutes.
const times = 50_000

func pathological() []hostile {
	repeat := strings.Repeat
	return []hostile{
		{"nested strong emphasis", repeat("*a **a ", times) + "b" + repeat(" a** a*", times), ""},
		{"closers without openers", repeat("a_ ", times), ""},
		{"openers without closers", repeat("_a ", times), ""},
		{"brackets that close", repeat("a]", times), ""},
		{"brackets that open", repeat("[a", times), ""},
		{"mismatched marks", repeat("*a_ ", times), ""},
		{"marks by threes", "a**b" + repeat("c* ", times), ""},
		{"brackets and marks", repeat("[ a_", times), ""},
		{"brackets and parentheses", repeat("[ (](", times), ""},
		{"images of links", repeat("![[]()", times), ""},
		{"nested brackets", repeat("[", times) + "a" + repeat("]", times), ""},
		{"nested parentheses", "[a](" + repeat("(", times) + repeat(")", times) + ")", ""},
		{"nested quotes", repeat("> ", times) + "a", "nested more than"},
		{"nested lists", nestedLists(1000), "nested more than"},
		{"lists on one line", repeat("- ", times) + "a", "nested more than"},
		{"numbers on one line", repeat("1. ", times) + "a", "nested more than"},
		{"NUL", "abc\x00de\x00", "NUL"},
		{"backticks of all lengths", backticks(2000), ""},
		{"backticks and backslashes", repeat("\\`", times), ""},
		{"destinations without an end", repeat("[a](<b", times), ""},
		{"links without an end", repeat("[a](b", times), ""},
		{"titles without an end", repeat("[a](b \"", times), ""},
		{"comments without an end", "</" + repeat("<!--", times), ""},
		{"declarations without an end", repeat("a <!A ", times), ""},
		{"instructions without an end", repeat("a <?", times), ""},
		{"CDATA without an end", repeat("a <![CDATA[", times), ""},
		{"tags without an end", repeat("<a b='", times), ""},
		{"autolinks without an end", repeat("<http://a", times), ""},
		{"addresses", repeat("a@b.c", times), ""},
		{"hosts", repeat("www.", times), ""},
		{"schemes", repeat("http://", times), ""},
		{"colons", repeat(":", 4*times), ""},
		{"underscores in hosts", "www." + repeat("a_b.", times), ""},
		{"strikethrough", repeat("~~a ~b", times), ""},
		{"references", references(times), ""},
		{"one definition used often", "[a]: /" + repeat("x", 1000) + "\n\n" + repeat("[a] ", times), ""},
		{"long labels", repeat("[", 10) + repeat("a\\", times) + "]: b", ""},
		{"footnotes", footnotes(5000), ""},
		{"nested footnotes", repeat("[^a]: ", times), ""},
		{"references to no footnote", repeat("[^a]", times), ""},
		{"tables of empty rows", "|" + repeat("a|", 1000) + "\n|" + repeat("-|", 1000) + "\n" + repeat("|\n", times), "more than 100000 cells"},
		{"delimiter rows", repeat("|-|\n", times), ""},
		{"columns", repeat("a|", times) + "\n" + repeat("-|", times) + "\n", ""},
		{"a paragraph of lines", repeat("a\n", times), "more than 10000 lines"},
		{"headings", repeat("# a\n", times), ""},
		{"underlines", repeat("a\n=\n", times), ""},
		{"entities", repeat("&#x41;&amp;&nope;", times), ""},
		{"hard breaks", repeat("a  \n", 9_000), ""},
		{"tabs", repeat("\t", 4*times) + "a", ""},
		{"fences", repeat("```\n", times+1), ""},
		{"fences in quotes", repeat("> ```\n", times), ""},
		{"expressions", repeat("{{ name }} ", times), ""},
		{"expressions without an end", repeat("{{ ", times), ""},
		{"expressions in destinations", repeat("[a]({{ links.signup }}) ", times/10), ""},
		{"alerts", repeat("> [!NOTE]\n> a\n\n", times), ""},
		{"code that lexers dislike", code(), ""},
	}
}

// nestedLists returns lists that are nested depth levels deep.
func nestedLists(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat("  ", i) + "* a\n")
	}
	return b.String()
}

// backticks returns runs of backticks of different lengths, so that none closes another.
func backticks(longest int) string {
	var b strings.Builder
	for i := range longest {
		b.WriteString("e" + strings.Repeat("`", i))
	}
	return b.String()
}

// references returns n link definitions and their uses in reverse order.
func references(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[%d]: /u\n\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "[%d]\n\n", n-1-i)
	}
	return b.String()
}

// footnotes returns n footnotes, each of which refers to the next.
func footnotes(n int) string {
	var b strings.Builder
	b.WriteString("a[^0]\n\n")
	for i := range n {
		fmt.Fprintf(&b, "[^%d]: b[^%d]\n\n", i, i+1)
	}
	return b.String()
}

// code returns code blocks in many languages, with text that makes the lexers' regular expressions backtrack.
func code() string {
	var b strings.Builder
	for _, language := range strings.Fields("go js ts python ruby bash html css json yaml toml sql java c cpp rust php perl markdown diff docker ini xml swift kotlin scala haskell lua make") {
		for _, piece := range []string{"\"\\", "'", "/* ", "<a b=", "${", "((", "a.", "#{", "\t ", "0x1_", "<<E "} {
			fmt.Fprintf(&b, "```%s\n%s\n```\n\n", language, strings.Repeat(piece, 4000/len(piece)))
		}
	}
	return b.String()
}

// files returns pages that are hostile in other ways, such as oversized files and YAML bombs in front matter.
func files() []hostile {
	repeat := strings.Repeat
	front := func(text string) string { return "---\ntitle: A\n" + text + "\n---\n\nText.\n" }
	return []hostile{
		{"a hundred megabytes", repeat("word ", 20<<20), "larger than the limit of 8192 KiB"},
		{"a line of eight megabytes", repeat("a", 8<<20-100), ""},
		{"a million lines", repeat("a\n\n", 500_000), ""},
		{"aliases that multiply", front(laughs()), "are not supported"},
		{"merge keys", front("params: &a {b: 1}\nmore:\n  <<: *a"), "are not supported"},
		{"nested lists of YAML", front("params: " + repeat("[", 10_000) + repeat("]", 10_000)), "levels deep"},
		{"nested maps of YAML", front("params: " + repeat("{a: ", 10_000) + repeat("}", 10_000)), "levels deep"},
		{"a scalar of YAML", front("params: {a: \"" + repeat("x", 100<<10) + "\"}"), "larger than 64 KiB"},
		{"keys of YAML", front("params:\n" + repeat("  a: b\n", 9_000)), "is already on line"},
		{"nested tables of TOML", "+++\ntitle = \"A\"\n[params." + repeat("a.", 10_000) + "a]\n+++\n", "levels deep"},
		{"nested JSON", "{\n\"title\": \"A\",\n\"params\": " + repeat("[", 10_000) + "\n}\n\n", ""},
		{"front matter without an end", "---\n" + repeat("a: b\n", 500_000), "is not closed"},
	}
}

// laughs returns front matter with the "billion laughs" attack: ten levels of aliases, each with ten times as many
// strings as the previous one.
func laughs() string {
	var b strings.Builder
	b.WriteString("params:\n  l0: &l0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "  l%d: &l%[1]d [%s*l%d]\n", i, strings.Repeat(fmt.Sprintf("*l%d, ", i-1), 9), i-1)
	}
	return b.String()
}

const (
	// patience is enough for the slowest machine. With quadratic running time, a page takes far longer.
	patience = 10 * time.Minute
	// most is the maximum memory of a build in bytes. Each processor builds a page at a time, so memory use depends on
	// the number of processors, which bounded sets to two.
	most = 1 << 30
)

// Every kind of hostile content results in either a build or an error with a location, within time and memory limits.
// All hostile pages are in one site. After the first build, the test removes the rejected files and builds the rest.
func TestHostileContent(t *testing.T) {
	s := newSite(t, "")
	all := append(pathological(), files()...)
	var index strings.Builder
	for i, h := range all {
		text := h.text
		if i < len(pathological()) {
			text = fmt.Sprintf("---\ntitle: Hostile %d\n---\n\n%s\n", i, text)
		}
		if err := s.write(pageOf(i), []byte(text)); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&index, "- [%d](h%d.md)\n", i, i)
	}
	images, err := bombs()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range images {
		page := fmt.Sprintf("---\ntitle: %s\n---\n\n![A bomb](%[1]s)\n", b.name)
		if err := errors.Join(s.write(b.file(), b.data), s.write(b.shown(), []byte(page))); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.write("hostile/index.md", []byte("# Hostile\n\n"+index.String())); err != nil {
		t.Fatal(err)
	}
	outcome := s.bounded(t)
	if outcome.Code != 1 {
		t.Fatalf("exit %d, want 1", outcome.Code)
	}
	s.holdsLast(t)
	told := errorsOf(outcome.Told)
	for i, h := range all {
		got := told["content/"+pageOf(i)]
		if h.want != "" && !tells(got, h.want) {
			t.Errorf("%s: told %.300q, want an error with %q", h.name, got, h.want)
		}
		if len(got) > 0 {
			if err := os.Remove(filepath.Join(s.Source.dir, "content", filepath.FromSlash(pageOf(i)))); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.defuse(t, images, told)
	if want := `the image "hides.png" is not shown correctly: it cannot be decoded`; !strings.Contains(outcome.Told, want) {
		t.Errorf("it is not told that %s", want)
	}
	t.Logf("%d of %d hostile files are rejected, each with its location", len(told), len(all)+len(images))
	if err := s.write("hostile/index.md", []byte("# Hostile\n")); err != nil {
		t.Fatal(err)
	}
	if outcome := s.bounded(t); outcome.Code != 0 {
		t.Errorf("what is in order is not built: exit %d, %.2000s", outcome.Code, outcome.Told)
	}
	if s.whole(t) == s.build {
		t.Error("the build is still the last one")
	}
	for _, b := range images {
		published, err := os.ReadFile(filepath.Join(s.out, "public", filepath.FromSlash(b.file())))
		if b.rejected && err == nil || !b.rejected && !bytes.Equal(published, b.data) {
			t.Errorf("%s: published with %d bytes of %d, %v", b.name, len(published), len(b.data), err)
		}
	}
}

// defuse compares the errors about each bomb with the required error. It removes pages with errors, and rejected
// images. The other images stay, so that the next build publishes them unchanged.
func (s *site) defuse(t *testing.T, images []bomb, told map[string][]string) {
	t.Helper()
	for _, b := range images {
		at := b.shown()
		if b.rejected {
			at = b.file()
		}
		if got := told["content/"+at]; b.want == "" && len(got) > 0 || b.want != "" && !tells(got, b.want) {
			t.Errorf("%s: told %.300q, want %q", b.name, got, b.want)
		}
		if b.want == "" {
			continue
		}
		err := os.Remove(filepath.Join(s.Source.dir, "content", filepath.FromSlash(b.shown())))
		if b.rejected {
			err = errors.Join(err, os.Remove(filepath.Join(s.Source.dir, "content", filepath.FromSlash(b.file()))))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// tells reports whether one of the errors contains a string.
func tells(errors []string, want string) bool {
	return slices.ContainsFunc(errors, func(text string) bool { return strings.Contains(text, want) })
}

func pageOf(i int) string { return fmt.Sprintf("hostile/h%d.md", i) }

// bounded builds the site and checks the process's time and memory.
func (s *site) bounded(t *testing.T) Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := s.command(ctx, s.Source.dir, s.out)
	cmd.Env = append(cmd.Env, "GOMAXPROCS=2")
	outcome, err := try(cmd)
	if err != nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("not done in %v", patience)
	}
	peak := peakMemory(cmd.ProcessState)
	t.Logf("%v of processor time, at most %d MiB of memory", cmd.ProcessState.UserTime().Round(time.Millisecond), peak>>20)
	// A process starts as a copy of its parent, and the system counts that copy's memory. Under the race detector, the
	// test itself uses more memory than the program.
	if bound := max(most, ownPeak()); peak > bound {
		t.Errorf("the build took %d MiB of memory, more than %d", peak>>20, bound>>20)
	}
	return outcome
}

// errorsOf returns the errors in told, keyed by file. All errors have a line, except those about unreadable files.
func errorsOf(told string) map[string][]string {
	found := make(map[string][]string)
	for _, m := range regexp.MustCompile(`(?m)^(content/[^:]+)(?::\d+:\d+)?: error: (.*)$`).FindAllStringSubmatch(told, -1) {
		found[m[1]] = append(found[m[1]], m[2])
	}
	return found
}
