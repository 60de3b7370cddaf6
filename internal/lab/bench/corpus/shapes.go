package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Shape is a kind of Vitrine site that contains the posts of a corpus.
type Shape struct {
	// Name describes the site in tables, such as "a blog".
	Name string
	// tags lists the tags of the site's languages, with "" for the default language. Consecutive pages are in
	// consecutive languages.
	tags []string
	// folder returns the URL path of the folder that contains a post.
	folder func(post int) string
	// settings is added to site.yaml.
	settings string
	// index is the text of docs/index.md, or "" for a site without this page.
	index string
}

// Blog returns the site that the other measurements build.
func Blog() Shape {
	return Shape{Name: "a blog", tags: []string{""}, folder: func(int) string { return "/blog" }}
}

// Languages returns a blog that contains every post in four languages. All languages use the same words, in different
// orders.
func Languages() Shape {
	return Shape{
		Name:     "a blog in four languages",
		tags:     []string{"", "de", "es", "fr"},
		folder:   func(int) string { return "/blog" },
		settings: "languages: {de: {}, es: {}, fr: {}}\n",
	}
}

// Documentation returns a site with a tree of folders: 20 pages in each part, and 10 parts in each area.
func Documentation() Shape {
	const pages, parts = 20, 10
	return Shape{
		Name: "documentation",
		tags: []string{""},
		folder: func(post int) string {
			return fmt.Sprintf("/docs/area-%03d/part-%d", post/(pages*parts), post/pages%parts)
		},
		index: "---\nlayout: docs\n---\n\n# Documentation\n",
	}
}

// URL returns the URL path of page i, counted from 0.
func (s Shape) URL(i int) string {
	tag, post := s.tags[i%len(s.tags)], i/len(s.tags)
	url := s.folder(post) + "/" + name(post)
	if tag != "" {
		url = "/" + tag + url
	}
	return url
}

// Write writes a site of n pages to root.
func (s Shape) Write(root string, n int, seed uint64, o Options) error {
	if err := WriteVitrine(root, Posts(0, seed), o); err != nil {
		return err
	}
	if err := appendTo(filepath.Join(root, "content", "site.yaml"), s.settings); err != nil {
		return fmt.Errorf("writing the settings of a site: %w", err)
	}
	if s.index != "" {
		if err := writeContent(root, "/docs/index", s.index); err != nil {
			return err
		}
	}
	for i := range n {
		if err := writeContent(root, s.URL(i), s.page(i, seed).Source()); err != nil {
			return err
		}
	}
	return nil
}

// Edit changes a sentence of page i, as Post.Edited does.
func (s Shape) Edit(root string, i int, seed uint64, round int) error {
	return writeContent(root, s.URL(i), s.page(i, seed).Edited(round).Source())
}

// page returns page i. Its links point to pages in the same language.
func (s Shape) page(i int, seed uint64) Post {
	language, post := i%len(s.tags), i/len(s.tags)
	p := At(post, seed+uint64(language))
	p.Body = linkedPost.ReplaceAllStringFunc(p.Body, func(link string) string {
		target, err := strconv.Atoi(linkedPost.FindStringSubmatch(link)[1])
		if err != nil {
			return link
		}
		return "](" + s.URL(target*len(s.tags)+language) + ")"
	})
	return p
}

// linkedPost matches the destination of a link to another post.
var linkedPost = regexp.MustCompile(`\]\(/blog/post-(\d+)\)`)

// writeContent writes the Markdown file of the page with the given URL path.
func writeContent(root, url, text string) error {
	path := filepath.Join(root, "content", filepath.FromSlash(strings.TrimPrefix(url, "/")+".md"))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("writing a page: %w", err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		return fmt.Errorf("writing a page: %w", err)
	}
	return nil
}
