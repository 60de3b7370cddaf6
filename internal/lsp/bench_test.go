package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/lab/bench/corpus"
)

// BenchmarkResponses measures how long a client that is connected by pipes waits for a response on a site of 10,000
// pages. It reports the median and the 95th percentile. For a keystroke, it measures the time until the client receives
// the problems.
func BenchmarkResponses(b *testing.B) {
	root := b.TempDir()
	if err := corpus.WriteVitrine(root, corpus.Posts(10_000, 1), corpus.Options{}); err != nil {
		b.Fatal(err)
	}
	c := newClient(b, root, `{"workspace":{"workspaceEdit":{"documentChanges":true,"resourceOperations":["rename"]}}}`)
	const name = "content/blog/post-05000.md"
	c.open(name)
	began := time.Now()
	c.settle()
	b.Logf("the first check took %v", time.Since(began))
	c.edit(name, "\n## ", "\n[x](/blog/post-00) and [y](/blog/post-00042) {{ na }} {{ name }}\n\n## ")
	c.settle()
	ask := func(method, place string) func(*testing.B) {
		return func(b *testing.B) {
			params := c.at(name, place)
			params["newName"] = "/blog/renamed"
			measure(b, func() {
				if err := c.call("textDocument/"+method, params, new(any)); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
	b.Run("complete-link", ask("completion", "(/blog/post-00|)"))
	b.Run("complete-fact", ask("completion", "{{ na| }}"))
	b.Run("complete-key", ask("completion", "\nda|te: "))
	b.Run("complete-tag", ask("completion", "\ntags: [|"))
	b.Run("hover", ask("hover", "(/blog/po|st-00042)"))
	b.Run("definition", ask("definition", "(/blog/po|st-00042)"))
	b.Run("references", ask("references", "(/blog/po|st-00042)"))
	b.Run("references-fact", ask("references", "{{ na|me }}"))
	b.Run("rename-page", ask("rename", "(/blog/po|st-00042)"))
	b.Run("fix", ask("codeAction", "[|x]"))
	round := 0
	b.Run("keystroke", func(b *testing.B) {
		measure(b, func() {
			round++
			// Use a new anchor in each round, so that the server reports a new problem.
			old := fmt.Sprintf("[y](/blog/post-00042#none-%d)", round-1)
			if round == 1 {
				old = "[y](/blog/post-00042)"
			}
			c.edit(name, old, fmt.Sprintf("[y](/blog/post-00042#none-%d)", round))
			for !c.reports(name, fmt.Sprintf("#none-%d\"", round)) {
				time.Sleep(100 * time.Microsecond)
			}
		})
	})
	b.Run("keystroke-front-matter", func(b *testing.B) {
		measure(b, func() {
			round++
			at := c.texts[name][:len("---\n")]
			c.edit(name, at, at+fmt.Sprintf("wrong%d: x\n", round))
			for !c.reports(name, fmt.Sprintf("wrong%d", round)) {
				time.Sleep(100 * time.Microsecond)
			}
			c.edit(name, fmt.Sprintf("wrong%d: x\n", round), "")
		})
	})
}

// reports reports whether a problem in the named file contains text.
func (c *client) reports(name, text string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.published[c.uri(name)].Diagnostics, func(d diagnostic) bool { return strings.Contains(d.Message, text) })
}

func measure(b *testing.B, once func()) {
	var all []time.Duration
	for b.Loop() {
		began := time.Now()
		once()
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(all[len(all)*95/100].Microseconds())/1000, "ms-p95")
}
