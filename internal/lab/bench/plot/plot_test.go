package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const tables = `
### Builds

#### Cold build: HTML & Markdown

|  | bar | wall time | CPU time | pairs |
| --- | --- | --- | --- | --- |
| Hugo ÷ vitrine, 1,000 posts | ≥ 4: missed | **2.46** (2.24–2.72) | **2.49** (2.28–2.71) | 9 |
| Eleventy ÷ vitrine | – | **6.86** (6.24–6.96) | – | 5 |
| nothing | – | – | – | 5 |

#### No ratios

| a | b |
|---|---|
| 1 | 2 |
`

// The image of each table with ratios shows exactly the table's values, and the document contains the image above the
// table. Drawing again changes nothing.
func TestDraw(t *testing.T) {
	dir := t.TempDir()
	file, plots := filepath.Join(dir, "tables.md"), filepath.Join(dir, "plots")
	if err := os.MkdirAll(plots, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{file: tables, filepath.Join(plots, "gone-1.svg"): "", filepath.Join(plots, "other-2.svg"): ""} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var before string
	for range 2 {
		if err := draw(file, plots, "1"); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if want := "#### Cold build: HTML & Markdown\n\n![Cold build: HTML & Markdown: the ratios of the table below](plots/cold-build-html-markdown-1.svg)\n\n|  | bar"; strings.Count(string(text), want) != 1 {
			t.Errorf("the image is not named once, before its table:\n%s", text)
		}
		if before != "" && strings.Count(string(text), "![") != strings.Count(before, "![") {
			t.Errorf("drawn again, the document is another:\n%s", text)
		}
		before = string(text)
	}
	names, err := filepath.Glob(filepath.Join(plots, "*"))
	if err != nil || len(names) != 2 {
		t.Fatalf("there are %v, %v; want one image of this run and one of the other", names, err)
	}
	image, err := os.ReadFile(filepath.Join(plots, "cold-build-html-markdown-1.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(image)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the image is no XML: %v", err)
		}
		if start, ok := token.(xml.StartElement); ok {
			for _, a := range start.Attr {
				if a.Name.Local == "href" || strings.HasPrefix(a.Name.Local, "on") || start.Name.Local == "script" {
					t.Errorf("%s has %s", start.Name.Local, a.Name.Local)
				}
			}
		}
	}
	for _, want := range []string{">2.46<", ">2.49<", ">6.86<", ">wall time<", ">CPU time<", "the bar: 4<", "prefers-color-scheme: dark", "<title>Cold build: HTML &amp; Markdown</title>"} {
		if !strings.Contains(string(image), want) {
			t.Errorf("the image lacks %s:\n%s", want, image)
		}
	}
	if got := strings.Count(string(image), `stroke-width="2"/><circle`); got != 3 {
		t.Errorf("%d ratios are drawn, want 3", got)
	}
}

// Greater values are farther to the right, and all values fit between the edges.
func TestScale(t *testing.T) {
	p := plot{series: []string{"a"}, rows: []row{{ratios: []ratio{{0.03, 0.021, 0.04}}}, {bar: 1200, ratios: []ratio{{100, 90, 300}}}}}
	low, high := p.bounds()
	if low != 0.02 || high != 2000 {
		t.Errorf("the scale goes from %g to %g", low, high)
	}
	all := ticks(low, high)
	if len(all) < 10 || all[0] != 0.02 || all[len(all)-1] != 2000 {
		t.Errorf("ticks %v", all)
	}
}
