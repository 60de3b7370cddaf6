package artifact

import (
	"cmp"
	"fmt"
	"regexp"
)

// MadeFor contains the site settings that a generated server configuration depends on. The configuration contains them
// in a comment, so that vitrine check can detect an outdated configuration.
type MadeFor struct {
	// Mount is the site's base path on its host, or "" for the root.
	Mount string
	// Agents reports whether known AI agents get Markdown.
	Agents bool
	// Command is the command that wrote the configuration.
	Command string
}

// String returns the settings as one line of text, for a comment.
func (f MadeFor) String() string {
	return fmt.Sprintf("this configuration was generated for path=%s and agents=%t by %s", cmp.Or(f.Mount, "/"), f.Agents, f.Command)
}

// madeFor matches the output of String and the older form of this output, which starts with "made for".
var madeFor = regexp.MustCompile(`(?:this configuration was generated|made) for path=(/\S*) (?:and )?agents=(true|false) by (vitrine config [^\r\n]+)`)

// FindMadeFor returns the settings in text. at is their offset in bytes, or -1 if text contains no settings.
func FindMadeFor(text []byte) (f MadeFor, at int) {
	m := madeFor.FindSubmatchIndex(text)
	if m == nil {
		return f, -1
	}
	group := func(i int) string { return string(text[m[2*i]:m[2*i+1]]) }
	f = MadeFor{Mount: group(1), Agents: group(2) == "true", Command: group(3)}
	if f.Mount == "/" {
		f.Mount = ""
	}
	return f, m[0]
}
