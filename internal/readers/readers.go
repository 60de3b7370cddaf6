// Package readers identifies a site's readers by the name that a program sends in User-Agent (RFC 9110 §10.1.5). A name
// is only a claim. The report checks it against the addresses that the program's operator publishes, if there are any.
// The package doesn't distinguish people, and stores no data about them.
package readers

import (
	"strings"

	"vitrine/internal/artifact"
)

// Family is a kind of reader.
type Family string

// The families of readers.
const (
	// People use a browser, or a program that claims to be a browser.
	People Family = "people"
	// Search engines build indexes for people to search.
	Search Family = "search"
	// Training collects text for training models.
	Training Family = "ai-training"
	// AISearch builds the index that an AI assistant searches for its answers.
	AISearch Family = "ai-search"
	// AIUser reads a page because a user asked an AI assistant a question.
	AIUser Family = "ai-user"
	// Feeds are readers of Atom and JSON Feed.
	Feeds Family = "feeds"
	// Tool is the site's command-line tool.
	Tool Family = "tool"
	// Other is every other program: monitors, link previews, scripts, unknown bots.
	Other Family = "other"
)

// Families lists the families, in display order.
func Families() []Family {
	return []Family{People, Search, AISearch, AIUser, Training, Feeds, Tool, Other}
}

// AI reports whether the family reads for a language model.
func (f Family) AI() bool { return f == Training || f == AISearch || f == AIUser }

// Words returns the names of the agents in lower case, in the order of Agents: ai contains the names of the programs
// that read for a language model, and others contains the rest. The first word of a User-Agent that is in either list
// identifies the sender, so a program that has only these lists, for example from a build (artifact.Agents), makes the
// same decision as Index.Of.
func Words() (ai, others []string) {
	for _, a := range Agents() {
		if name := strings.ToLower(a.Name); a.Family.AI() {
			ai = append(ai, name)
		} else {
			others = append(others, name)
		}
	}
	return ai, others
}

// Index finds the family of the program that sent a User-Agent. It is safe for concurrent use.
type Index struct {
	known map[string]Agent
	tools map[string]bool
}

// NewIndex returns an index of the published names and the names of the site's tools.
func NewIndex(tools ...string) *Index {
	x := &Index{known: make(map[string]Agent), tools: make(map[string]bool)}
	for _, a := range Agents() {
		x.known[strings.ToLower(a.Name)] = a
	}
	for _, t := range tools {
		x.tools[strings.ToLower(t)] = true
	}
	return x
}

// Of returns the family of a User-Agent's sender and, if the sender's name is a published name, that name. The cost
// depends only on the length of the User-Agent, so a server can call Of for every request.
func (x *Index) Of(userAgent string) (Family, string) {
	automatic := false
	var buf [artifact.MaxWord]byte
	for rest := userAgent; ; {
		word, after, ok := artifact.NextWord(rest, &buf)
		if !ok {
			break
		}
		rest = after
		if a, ok := x.known[string(word)]; ok {
			return a.Family, a.Name
		}
		if x.tools[string(word)] {
			return Tool, ""
		}
		automatic = automatic || isAutomatic(string(word))
	}
	if !automatic && (strings.HasPrefix(userAgent, "Mozilla/") || strings.HasPrefix(userAgent, "Opera/")) {
		return People, ""
	}
	return Other, ""
}

// isAutomatic reports whether a word is typical of the names of automatic programs.
func isAutomatic(word string) bool {
	for _, end := range []string{"bot", "crawler", "spider", "fetcher", "scraper", "monitor"} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return word == "headlesschrome" || word == "lighthouse" || word == "chrome-lighthouse"
}
