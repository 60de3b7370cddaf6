package plan

import (
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// Addresses of what the build makes itself.
const (
	SitemapPath  = "/sitemap.xml"
	RobotsPath   = "/robots.txt"
	SecurityPath = "/.well-known/security.txt"
	LLMsPath     = "/llms.txt"
	LLMsFullPath = "/llms-full.txt"
	// The feeds stand at the root, where readers look for them, so that their
	// addresses outlast a move of the blog.
	AtomPath     = "/feed.xml"
	JSONFeedPath = "/feed.json"
	// SearchIndexPath lists the files of the search's index; it is small, and asked
	// for only where somebody searches.
	SearchIndexPath = "/search.json"
)

// Addresses of pages that the build treats apart from others.
const (
	BlogPath   = "/blog"
	SearchPath = "/search"
	// TagsPath is the page that lists all tags; those of the tags are below it.
	TagsPath = "/tags"
	// NotFoundPath is that of the page that is no page: the body of a 404.
	NotFoundPath = "/404"
)

// SearchLayout is that of the page at SearchPath where it is a search.
const SearchLayout = "search"

// CLIPath is where the command-line tool is published; its SHA-256 is beside it.
func CLIPath(s *site.Site) string { return "/cli/" + s.Config.CLIName + ".mjs" }

// SumPath is where the SHA-256 of a file is published.
func SumPath(path string) string { return path + ".sha256" }

// GeneratedPaths are the paths of what every build makes itself beside its pages,
// but for the theme's assets.
func GeneratedPaths(s *site.Site) []string {
	tool := CLIPath(s)
	paths := []string{
		artifact.DescriptionPath, artifact.CatalogPath, SitemapPath, LLMsPath, LLMsFullPath, RobotsPath, tool, SumPath(tool),
	}
	for _, p := range artifact.OperationPaths() {
		// The operation is public as a file, too, for hosts that serve only those.
		paths = append(paths, p, p+".json")
	}
	if s.Config.Security.Contact != "" {
		paths = append(paths, SecurityPath)
	}
	if slices.ContainsFunc(s.Pages, isArticle) {
		paths = append(paths, AtomPath, JSONFeedPath)
	}
	if slices.ContainsFunc(s.Pages, IsSearch) {
		paths = append(paths, SearchIndexPath)
	}
	return paths
}

// isProblem reports whether a page is about the problems of the JSON operation.
func isProblem(p *site.Page) bool {
	_, known := artifact.ProblemBySlug(strings.TrimPrefix(p.Path, artifact.ProblemsPath))
	return p.Path+"/" == artifact.ProblemsPath || strings.HasPrefix(p.Path, artifact.ProblemsPath) && known
}

// IsSearch reports whether a page is the site's search.
func IsSearch(p *site.Page) bool { return p.Path == SearchPath && p.Layout == SearchLayout }
