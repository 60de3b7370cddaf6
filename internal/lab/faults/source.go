package faults

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Source is a site that is edited between builds. The same seed always produces the same site and edits.
type Source struct {
	dir    string
	random *rand.Rand
	// edits is the number of edits so far. Each edit writes its number into the changed files, so no two states of the
	// site are equal.
	edits int
	// extra is the number of the edit that added the additional page, or 0 if there is no such page.
	extra int
}

const (
	docs     = 12
	articles = 36
)

// NewSource writes a site of 50 pages to dir and returns it.
func NewSource(dir string, seed uint64) (*Source, error) {
	s := &Source{dir: dir, random: rand.New(rand.NewPCG(seed, 0))}
	files := map[string]string{
		"site.yaml":        "baseURL: https://parley.example\ntitle: Parley\n",
		"product.yaml":     s.product(),
		"index.md":         s.page("Home", ""),
		"pricing.md":       s.page("Pricing", ""),
		"static/terms.txt": "Terms\n",
	}
	for i := range docs {
		files[fmt.Sprintf("docs/d%d.md", i)] = s.page(fmt.Sprintf("Document %d", i), "")
	}
	for i := range articles {
		files[articleName(i)] = s.article(i)
	}
	for name, text := range files {
		if err := s.write(name, []byte(text)); err != nil {
			return nil, err
		}
	}
	return s, s.picture()
}

// Edit changes at least one page. Sometimes it also changes the facts or an image, or adds or removes a page.
func (s *Source) Edit() error {
	s.edits++
	for range 1 + s.random.IntN(6) {
		i := s.random.IntN(articles)
		if err := s.write(articleName(i), []byte(s.article(i))); err != nil {
			return err
		}
	}
	switch s.random.IntN(6) {
	case 0:
		return s.write("product.yaml", []byte(s.product()))
	case 1:
		return s.picture()
	case 2:
		return s.addOrRemove()
	case 3:
		return s.write("index.md", []byte(s.page("Home", "")))
	}
	return nil
}

// addOrRemove adds a page without incoming links or, if the page exists already, removes it.
func (s *Source) addOrRemove() error {
	if s.extra == 0 {
		s.extra = s.edits
		return s.write(s.extraName(), []byte(s.page(fmt.Sprintf("Extra %d", s.extra), "")))
	}
	name := s.extraName()
	s.extra = 0
	return os.Remove(filepath.Join(s.dir, "content", name))
}

func (s *Source) extraName() string { return fmt.Sprintf("docs/extra-%d.md", s.extra) }

func articleName(i int) string { return fmt.Sprintf("blog/a%d.md", i) }

func (s *Source) write(name string, data []byte) error {
	path := filepath.Join(s.dir, "content", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

func (s *Source) product() string {
	return fmt.Sprintf(`name: Parley
url: https://parley.example
description: Practice for sales teams, state %d.
audience: [Sales reps]
capabilities: [Role-play by voice, Feedback]
pricing:
  currency: EUR
  billingPeriod: month
  creditDefinition: One credit is one call.
  unlimitedReps: true
  unlimitedTeams: true
  plans:
    - {name: Starter, monthlyPrice: %d, includedCredits: 40}
  url: https://parley.example/pricing
contact: hello@parley.example
links: {signup: https://parley.example/signup}
`, s.edits, 19+s.edits)
}

func (s *Source) article(i int) string {
	head := fmt.Sprintf("date: 2026-%02d-%02d\ntags: [t%d]\n", 1+i%6, 1+i%28, i%5)
	return s.page(fmt.Sprintf("Article %d", i), head)
}

// page returns a page with various Markdown constructs: links, a list, code, and a table.
func (s *Source) page(title, head string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntitle: %s\ndescription: About %s, state %d.\n%s---\n\n", title, strings.ToLower(title), s.edits, head)
	for section := range 3 + s.random.IntN(4) {
		fmt.Fprintf(&b, "## Part %d\n\n", section)
		for range 40 + s.random.IntN(80) {
			fmt.Fprintf(&b, "word%d ", s.random.IntN(500))
		}
		fmt.Fprintf(&b, "\n\n- [An article](/blog/a%d)\n- [the price](/pricing) of {{ name }}\n\n", s.random.IntN(articles))
	}
	fmt.Fprintf(&b, "```go\nfunc state() int { return %d }\n```\n\n| a | b |\n|---|--:|\n| 1 | %d |\n", s.edits, s.edits)
	return b.String()
}

// picture writes an image that differs from the previous one.
func (s *Source) picture() error {
	m := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for i := range 40 * 30 {
		m.Set(i%40, i/40, color.RGBA{uint8(s.edits), uint8(i), uint8(s.random.IntN(256)), 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return err
	}
	return s.write("static/picture.png", b.Bytes())
}
