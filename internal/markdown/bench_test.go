package markdown

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

// article returns a post of about a thousand words.
func article(b *testing.B) []byte {
	b.Helper()
	text, err := os.ReadFile("testdata/article.md")
	if err != nil {
		b.Fatal(err)
	}
	return bytes.Repeat(text, 1+1000/len(strings.Fields(string(text))))
}

// BenchmarkDocument measures a build's work for one page: parsing the page and writing both outputs.
func BenchmarkDocument(b *testing.B) {
	source := article(b)
	p := New(Options{})
	var html, twin bytes.Buffer
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		html.Reset()
		twin.Reset()
		d := p.Parse("article.md", source, 0)
		d.Links()
		d.Words()
		if err := d.WriteHTML(&html); err != nil {
			b.Fatal(err)
		}
		if err := d.WriteMarkdown(&twin, "https://parley.example"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGoldmark measures goldmark itself with the same extensions, but without a twin, for comparison.
func BenchmarkGoldmark(b *testing.B) {
	source := article(b)
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	var html bytes.Buffer
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		html.Reset()
		if err := md.Convert(source, &html); err != nil {
			b.Fatal(err)
		}
	}
}
