// Package kinds reads the folders of other generators' sites. For each kind of site, it finds the pages, the files, and
// the settings, and describes the syntax that the pages use. Package convert then converts the text of the pages.
package kinds

import "vitrine/internal/migrate/oldsite"

// All returns the kinds in the order in which the import tries to detect them.
func All() []*oldsite.Kind {
	return []*oldsite.Kind{Notion(), Confluence(), Docusaurus(), Starlight(), Vitepress(), Vuepress(), Mintlify(), Nextra(), Mkdocs(), Gitbook(), Mdbook(), Zola(), Hugo(), Sphinx(), Eleventy(), Hexo(), Jekyll(), Astro(), MarkdownFolder()}
}
