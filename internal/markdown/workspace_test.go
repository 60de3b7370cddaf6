package markdown

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// everything returns all outputs and other results of a page.
func everything(d *Document) (string, error) {
	var html, twin bytes.Buffer
	if err := d.WriteHTML(&html); err != nil {
		return "", err
	}
	if err := d.WriteMarkdown(&twin, "https://parley.example"); err != nil {
		return "", err
	}
	var links []Link
	for _, l := range d.Links() {
		links = append(links, *l)
	}
	var prose []string
	d.Prose(func(p *Prose) {
		prose = append(prose, fmt.Sprintf("%d %q %q %v", p.Level, p.Head, p.Text, p.Pos(len(p.Text)/2)))
	})
	return fmt.Sprintf("%s\n%s\n%+v\n%+v\n%v\n%d\n%q", &html, &twin, d.Headings(), links, d.Problems(), d.Words(), prose), nil
}

// TestRelease checks that a page in reused memory has the same results as in fresh memory, in several concurrent
// goroutines.
func TestRelease(t *testing.T) {
	article, err := os.ReadFile("testdata/article.md")
	if err != nil {
		t.Fatal(err)
	}
	sources := []string{
		string(article),
		"a *b* **c** `d` [e](/f) ***g** h* [*i*](j \"k\") ![l](/m) <n> ~~o~~\n",
		"", "# A\n\n| *b* | `c` |\n|-|-|\n| [d](/e) | **f**g |\n\n> [!NOTE]\n> h[^1]\n\n[^1]: *i*\n",
		strings.Repeat("*a* `b` [c](/d) ", 50), "- *a\n- b*\n\n\t`c`\n",
		"[a](/b)" + strings.Repeat(" **c**", 2*maxDelimiters),
	}
	want := make([]string, len(sources))
	for i, source := range sources {
		if want[i], err = everything(New(Options{}).Parse("page.md", []byte(source), 0)); err != nil {
			t.Fatal(err)
		}
	}
	p := New(Options{})
	var workers sync.WaitGroup
	for worker := range 4 {
		workers.Go(func() {
			order := slices.Repeat([]int{0, 1, 2, 3, 4, 5, 6}, 3)
			for step, i := range order {
				i = (i*(worker+1) + step/7) % len(sources)
				d := p.Parse("page.md", []byte(sources[i]), 0)
				if got, err := everything(d); err != nil || got != want[i] {
					t.Errorf("source %d gives\n%s\n(%v) want\n%s", i, got, err, want[i])
				}
				d.Release()
				d.Release()
			}
		})
	}
	workers.Wait()
}

// TestReleaseDropsLargeBuffers checks that the memory of a large page isn't kept for small pages.
func TestReleaseDropsLargeBuffers(t *testing.T) {
	p := New(Options{})
	d := p.Parse("page.md", []byte(strings.Repeat("*a* `b` [c](/d) text ", 10_000)), 0)
	render(t, d)
	d.Prose(func(*Prose) {})
	work := d.work
	d.Release()
	if n := len(work.nodes.texts.chunks); n > slabKeep {
		t.Errorf("%d chunks of texts are kept", n)
	}
	if n := cap(work.twin.text.out) + cap(work.twin.text.lit) + cap(work.prose); n > 3*workspaceKeep {
		t.Errorf("buffers of %d bytes are kept", n)
	}
}
