package render

import (
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/plan"
)

// The blog's list has 20 articles per page. In HTML, Markdown, and <head>, each page links to the previous page and the
// next page. All pages are in the sitemap, and each article is on exactly one page.
func TestBlogParts(t *testing.T) {
	for posts, parts := range map[int]int{1: 1, 20: 1, 21: 2, 40: 2, 41: 3} {
		t.Run(fmt.Sprint(posts), func(t *testing.T) {
			b := build(t, articles(posts), withoutImages)
			seen := make(map[string]bool)
			for n := 1; n <= parts; n++ {
				path := plan.PartPath(plan.BlogPath, n)
				page, twin := b.body(t, path), b.body(t, path+".md")
				for i := range posts {
					link := fmt.Sprintf(`<h2><a href="/blog/post-%03d">`, i)
					if strings.Contains(page, link) {
						if seen[link] {
							t.Errorf("post %d is listed twice", i)
						}
						seen[link] = true
					}
				}
				for relation, other := range map[string]int{"prev": n - 1, "next": n + 1} {
					there := other >= 1 && other <= parts
					if got := strings.Contains(page, fmt.Sprintf(`<link rel="%s" href="%s">`, relation, plan.PartPath(plan.BlogPath, other))); got != there {
						t.Errorf("%s: the head leads to the %s: %t, want %t", path, relation, got, there)
					}
					if got := other >= 1 && strings.Contains(twin, "("+b.site.Config.BaseURL+plan.PartPath(plan.BlogPath, other)+")"); got != there {
						t.Errorf("%s.md leads to the %s: %t, want %t", path, relation, got, there)
					}
				}
				if !strings.Contains(b.body(t, plan.SitemapPath), "<loc>https://parley.example"+path+"</loc>") {
					t.Errorf("the sitemap lacks %s", path)
				}
			}
			if len(seen) != posts {
				t.Errorf("%d of %d posts are listed", len(seen), posts)
			}
			if _, more := b.resources[plan.PartPath(plan.BlogPath, parts+1)]; more {
				t.Error("there is a page too many")
			}
			if strings.Contains(b.body(t, plan.LLMsPath), "/page/") {
				t.Error("llms.txt lists parts of a list")
			}
		})
	}
}

// On the blog, a single article is large, two articles are equal, and the newest article of a longer list is large.
func TestLargeArticles(t *testing.T) {
	for n, want := range map[int]struct{ home, blog string }{
		1: {"post first", "post first"}, 2: {"post,post", "post,post"}, 3: {"post,post,post", "post first,post,post"},
	} {
		files := articles(n)
		for name, text := range files {
			if strings.HasPrefix(name, "content/blog/") {
				files[name] = strings.Replace(text, "---\n", "---\ncover: a.svg\n", 1)
			}
		}
		files["content/blog/a.svg"] = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"/>`
		b := build(t, files)
		for path, want := range map[string]string{"/": want.home, plan.BlogPath: want.blog} {
			var got []string
			for _, part := range strings.Split(b.body(t, path), `<article class="`)[1:] {
				if class, _, _ := strings.Cut(part, `"`); strings.HasPrefix(class, "post") {
					got = append(got, class)
				}
			}
			if got := strings.Join(got, ","); got != want {
				t.Errorf("%d articles: %s has %q, want %q", n, path, got, want)
			}
		}
	}
}

func articles(n int) map[string]string { return posts(sampleFacts(), n) }

// Each tag has a generated page, unless the site has its own page at that path. A site without tags has no tag pages.
func TestTagPages(t *testing.T) {
	b := build(t, with(
		"content/blog/a.md", "---\ntitle: A\ndate: 2026-01-01\ntags: [own, made]\n---\n",
		"content/tags/own.md", "---\ntitle: Our own words\n---\nWritten.\n",
	))
	if page := b.body(t, "/tags/own"); !strings.Contains(page, "Written.") {
		t.Error("the site's own page gave way")
	}
	if page := b.body(t, "/tags/made"); !strings.Contains(page, `href="/blog/a"`) {
		t.Error("the tag's page does not list the article")
	}
	if page := b.body(t, "/blog/a"); !strings.Contains(page, `<a class="tag" href="/tags/made">made</a>`) {
		t.Error("the article does not lead to its tag")
	}
	bare := build(t, sampleFacts())
	for path := range bare.resources {
		if strings.HasPrefix(path, "/tags") || strings.HasPrefix(path, "/feed") {
			t.Errorf("a site without tags and articles has %s", path)
		}
	}
}
