package plan

import (
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// Paths of generated resources. The paths of llms.txt, the feeds, and the search index apply to the default language;
// site.At converts them for other languages.
const (
	SitemapPath  = "/sitemap.xml"
	RobotsPath   = "/robots.txt"
	SecurityPath = "/.well-known/security.txt"
	// IndexNowPath is the path of the file with the IndexNow key of a site that notifies search engines of changes.
	IndexNowPath = "/indexnow.txt"
	// SkillsPath is the path of the file that lists the site's agent skills. There is one skill; see SkillPath.
	SkillsPath   = "/.well-known/agent-skills/index.json"
	LLMsPath     = "/llms.txt"
	LLMsFullPath = "/llms-full.txt"
	// The feeds are at the root, where feed readers look for them. Their paths don't change if the blog moves.
	AtomPath     = "/feed.xml"
	JSONFeedPath = "/feed.json"
	// All languages share the feeds of changed facts.
	ChangesAtomPath = "/changes.xml"
	ChangesJSONPath = "/changes.json"
	// SearchIndexPath is the path of a small file that locates the files of the search index. Browsers request that
	// file only when a reader searches.
	SearchIndexPath = "/search.json"
)

// Paths, within each language, of pages that the build treats specially.
const (
	BlogPath   = "/blog"
	SearchPath = "/search"
	// ChangesPath is the path of the page that lists changed facts.
	ChangesPath = "/changes"
	// FormerDocumentation is the former default path of the JSON API's description. It redirects to the current path.
	FormerDocumentation = "/docs/api"
	// TagsPath is the path of the page that lists all tags. The pages of the tags are under this path.
	TagsPath = "/tags"
	// AuthorsPath is the path of the page that lists all authors in authors.yaml. The authors' pages are under it.
	AuthorsPath = "/authors"
	// NotFoundPath is the path of the 404 page, which is used only as the body of 404 responses.
	NotFoundPath = "/404"
)

// SearchLayout is the layout of the search page, and ChangesLayout is the layout of a page with a list of changed facts
// after the page's text.
const (
	SearchLayout  = "search"
	ChangesLayout = "changes"
)

// CLIPath returns the path of the command-line tool. SumPath returns the path of the file with the tool's SHA-256.
func CLIPath(s *site.Site) string { return "/cli/" + s.Config.CLIName + ".mjs" }

// SkillPath returns the path of the agent skill's file. The file's folder has the name of the skill: the name of the
// command-line tool in lower case, with a hyphen instead of each run of characters other than ASCII letters and digits,
// truncated to 64 characters. If the tool's name has no such letters or digits, the skill is named "facts".
func SkillPath(s *site.Site) string {
	parts := strings.FieldsFunc(strings.ToLower(s.Config.CLIName), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	name := strings.Join(parts, "-")
	if name == "" {
		name = "facts"
	}
	if len(name) > 64 {
		name = strings.TrimSuffix(name[:64], "-")
	}
	return "/.well-known/agent-skills/" + name + "/SKILL.md"
}

// SumPath returns the path of the file with the SHA-256 of the file at path.
func SumPath(path string) string { return path + ".sha256" }

// GeneratedPaths returns the paths of the resources that a build generates in addition to the pages and the theme's
// assets, such as the sitemap and the feeds.
func GeneratedPaths(s *site.Site) []string {
	paths := []string{
		artifact.DescriptionPath, artifact.CatalogPath, SitemapPath, LLMsPath, LLMsFullPath, RobotsPath, SkillsPath, SkillPath(s),
	}
	if !s.Config.Machines.NoChanges {
		paths = append(paths, ChangesAtomPath, ChangesJSONPath)
	}
	if tool := CLIPath(s); !s.Config.Machines.NoCLI {
		paths = append(paths, tool, SumPath(tool))
	}
	for _, p := range artifact.OperationPaths() {
		// The operation is also published as a file, for hosts that serve only files.
		paths = append(paths, p, p+".json")
	}
	if s.Config.Security.Contact != "" {
		paths = append(paths, SecurityPath)
	}
	if s.Config.IndexNow != "" {
		paths = append(paths, IndexNowPath)
	}
	for _, v := range s.Views() {
		if v.Language != "" {
			paths = append(paths, v.At(LLMsPath), v.At(LLMsFullPath))
		}
		if slices.ContainsFunc(v.Pages, isArticle) {
			paths = append(paths, v.At(AtomPath), v.At(JSONFeedPath))
		}
		for _, p := range v.Pages {
			if feed, _ := ListFeed(p); feed != "" {
				paths = append(paths, feed)
			}
		}
		if slices.ContainsFunc(v.Pages, IsSearch) {
			paths = append(paths, v.At(SearchIndexPath))
		}
	}
	return paths
}

// isProblem reports whether p lists the JSON API's problem types or describes one of them.
func isProblem(p *site.Page) bool {
	slug, below := strings.CutPrefix(p.Local()+"/", artifact.ProblemsPath)
	if !below || slug == "" {
		return below
	}
	_, known := artifact.ProblemBySlug(strings.TrimSuffix(slug, "/"))
	return known
}

// IsSearch reports whether p is the site's search page.
func IsSearch(p *site.Page) bool { return p.Layout == SearchLayout && p.Local() == SearchPath }

// IsNotFound reports whether p is the 404 page; see NotFoundPath.
func IsNotFound(p *site.Page) bool { return p.Local() == NotFoundPath }

// isFixed reports whether a theme page has the same path in every language because other resources link to that path.
// The pages that describe the JSON API and the tool don't have fixed paths: a page at another path replaces such a page
// if its front matter names the page as its original.
func isFixed(path string) bool {
	switch path {
	case "/", BlogPath, TagsPath, AuthorsPath, SearchPath, NotFoundPath:
		return true
	}
	return strings.HasPrefix(path+"/", artifact.ProblemsPath)
}
