package drift

import (
	"os"
	"strings"
	"testing"

	"vitrine/internal/markdown"
	"vitrine/internal/site"
)

// BenchmarkDrift measures parsing a page of prose and checking it for drift.
func BenchmarkDrift(b *testing.B) {
	text, err := os.ReadFile("testdata/held.txt")
	if err != nil {
		b.Fatal(err)
	}
	facts := product()
	c := New(&facts)
	for name, source := range map[string]string{
		"claims": string(text), "prose": strings.Repeat("A rep practises a conversation before it is held, and hears what to try. ", 200),
	} {
		doc := markdown.New(markdown.Options{}).Parse("x.md", []byte(source), 0)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			for b.Loop() {
				c.Page(&site.Page{}, doc, nil)
			}
		})
		b.Run(name+"/parse", func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			for b.Loop() {
				markdown.New(markdown.Options{}).Parse("x.md", []byte(source), 0)
			}
		})
	}
}
