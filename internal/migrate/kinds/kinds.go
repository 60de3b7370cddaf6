// Package kinds reads the folders of other generators' sites. Each kind of site has its own Go file. A kind finds
// pages, files, and settings, and describes the syntax of its pages. Package convert converts the text of the pages.
package kinds

import "vitrine/internal/migrate/oldsite"

// All returns the kinds in the order in which the import tries to detect them.
func All() []*oldsite.Kind {
	return []*oldsite.Kind{Notion(), Confluence(), Docusaurus(), Starlight(), Vitepress(), Vuepress(), Mintlify(), Nextra(), Mkdocs(), Gitbook(), Mdbook(), Zola(), Hugo(), Sphinx(), Eleventy(), Hexo(), Jekyll(), Astro(), MarkdownFolder()}
}
