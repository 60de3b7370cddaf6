package view

import "vitrine/internal/site"

// TextFile is the data for the files in `text/`, except `lists.txt` and `pointer.txt`. Fields for other files are
// empty.
type TextFile struct {
	Site     *Site         // the site, without a current navigation entry
	Product  *site.Product // the facts in `product.yaml`
	Sections []LinkSection // in `llms.txt`: the sections with the links to pages
	Optional []LinkLine    // in `llms.txt`: the links after the sections, to tags, authors, other languages, old versions, and the full text
	LLMsFull bool          // in `llms.txt`: whether there is an `llms-full.txt`

	Skill *Skill // in `skill.md`: the agent skill

	Sitemap site.Ref     // in `robots.txt`: the URL of the sitemap
	Signals string       // in `robots.txt`: the value of `Content-Signal`, or empty
	Usage   string       // in `robots.txt`: the value of `Content-Usage`, or empty
	License site.Ref     // in `robots.txt`: the URL of the content's license, or empty
	Groups  []AgentGroup // in `robots.txt`: the crawlers, grouped by permission
	Preview bool         // in `robots.txt`: whether the site is built for an address other than its own

	Canonical site.Ref // in `security.txt`: the URL of the file itself
	Contact   string   // in `security.txt`: the address for reports
	Expires   string   // in `security.txt`: the time when the file expires
	Language  string   // in `security.txt`: the site's language
}

// LinkSection is a section in `llms.txt`: a second-level heading with a list of links.
type LinkSection struct {
	Title string     // the heading, as Markdown
	Links []LinkLine // the links to the section's pages
}

// LinkLine is one link in `llms.txt`, written as `- [Title](URL): Note`.
type LinkLine struct {
	Title string   // the text of the link, as Markdown
	URL   site.Ref // the absolute URL of the target
	Note  string   // the note after the link, as Markdown, or empty
}

// String returns the complete line, without its line end.
func (l LinkLine) String() string {
	if l.Note == "" {
		return "- [" + l.Title + "](" + string(l.URL) + ")"
	}
	return "- [" + l.Title + "](" + string(l.URL) + "): " + l.Note
}

// AgentGroup is a group of rules in `robots.txt` (RFC 9309 §2.2.1). Each group must contain all rules for its crawlers,
// because a crawler named in a group ignores all other groups.
type AgentGroup struct {
	Agents []string // the names of the crawlers
	Allow  bool     // whether the crawlers may read the site
}

// Skill is the agent skill that `text/skill.md` describes.
type Skill struct {
	Name        string // the skill's name in its front matter
	Description string // the skill's purpose, in at most 1,024 characters
	Requests    int    // the number of requests to the JSON API that a server accepts in each window of time
	Seconds     int    // the length of each window in seconds
	Tool        string // the address of the command-line tool
	ToolSum     string // the address of the tool's SHA-256 checksum
	ToolName    string // the tool's file name
}
