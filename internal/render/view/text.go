package view

import "vitrine/internal/site"

// TextFile is the data for the files in `text/`, except lists.txt and pointer.txt; pointer.txt gets a layout's data.
// Fields for other files are empty.
type TextFile struct {
	Site     *Site         // the site, without a current navigation entry
	Product  *site.Product // product.yaml
	Sections []LinkSection // llms.txt: the pages
	Optional []LinkLine    // llms.txt: tags, authors, other languages, old versions, and full text, after the pages
	LLMsFull bool          // llms.txt: whether there is an llms-full.txt

	Skill *Skill // skill.md: the agent skill

	Sitemap site.Ref     // robots.txt: the sitemap
	Signals string       // robots.txt: the value of Content-Signal, or empty
	Usage   string       // robots.txt: the value of Content-Usage, or empty
	License site.Ref     // robots.txt: the license of the text, or empty
	Groups  []AgentGroup // robots.txt: crawlers, grouped by permission
	Preview bool         // robots.txt: whether the site is built for an address other than its own

	Canonical site.Ref // security.txt: its own address
	Contact   string   // security.txt: the address for reports
	Expires   string   // security.txt: the time of its expiry
	Language  string   // security.txt: the site's language
}

// LinkSection is an H2 section of llms.txt, which contains only links.
type LinkSection struct {
	Title string     // as Markdown
	Links []LinkLine // its pages
}

// LinkLine is one link of llms.txt: `- [Title](URL): Note`.
type LinkLine struct {
	Title string   // as Markdown
	URL   site.Ref // absolute
	Note  string   // as Markdown, or empty
}

// String returns the line as written, without its line end.
func (l LinkLine) String() string {
	if l.Note == "" {
		return "- [" + l.Title + "](" + string(l.URL) + ")"
	}
	return "- [" + l.Title + "](" + string(l.URL) + "): " + l.Note
}

// AgentGroup is a group of robots.txt (RFC 9309 §2.2.1). A crawler that a group names ignores all other groups, so each
// group must be complete.
type AgentGroup struct {
	Agents []string // names of crawlers
	Allow  bool     // whether they may read the site
}

// Skill is the agent skill as text/skill.md sees it.
type Skill struct {
	Name        string // the name in the front matter
	Description string // the skill's purpose, in at most 1,024 characters
	Requests    int    // the number of requests per window that a server allows for the JSON API
	Seconds     int    // the length of the window
	Tool        string // the address of the command-line tool
	ToolSum     string // the address of its SHA-256
	ToolName    string // its file name
}
