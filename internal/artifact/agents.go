package artifact

import "strings"

// Agents is a build's list of program names to recognize in the User-Agent field, in two groups: programs that read for
// a language model, and other known programs. A build contains the list if its site enables OptionAgents, so every
// server uses the same list. It is safe for concurrent use.
type Agents struct {
	known map[string]bool // by name: whether the program reads for a language model
	names [2][]string
}

// OptionOfAgents returns the resource that stores the agent names in a build. ai lists the programs that read for a
// language model, and others lists the other known programs. All names must be in lower case.
func OptionOfAgents(ai, others []string) Resource {
	return Resource{Path: OptionPrefix + OptionAgents, Kind: KindFallback, Location: strings.Join(ai, " ") + agentsSeparator + strings.Join(others, " ")}
}

const agentsSeparator = ","

// agents reads a build's agent names. It returns nil if the site hasn't enabled negotiation by User-Agent.
func (m *Manifest) agents() *Agents {
	r, ok := m.Lookup(OptionPrefix + OptionAgents)
	if !ok {
		return nil
	}
	ai, others, _ := strings.Cut(r.Location(), agentsSeparator)
	a := &Agents{known: make(map[string]bool), names: [2][]string{strings.Fields(ai), strings.Fields(others)}}
	for i, names := range a.names {
		for _, name := range names {
			a.known[name] = i == 0
		}
	}
	return a
}

// Names returns the names of the programs that read for a language model, and the names of the other programs.
func (a *Agents) Names() (ai, others []string) { return a.names[0], a.names[1] }

// AI reports whether userAgent, a User-Agent field, identifies a program that reads for a language model. If the field
// contains several known names, the first one decides. A call takes time proportional to the length of userAgent, so a
// server can call AI for every request.
func (a *Agents) AI(userAgent string) bool {
	var buf [MaxWord]byte
	for rest := userAgent; ; {
		word, after, ok := NextWord(rest, &buf)
		if !ok {
			return false
		}
		rest = after
		if ai, ok := a.known[string(word)]; ok {
			return ai
		}
	}
}

// MaxWord is the maximum length in bytes of a word returned by NextWord. All program names are shorter, so a truncated
// word never matches a program name.
const MaxWord = 48

// NextWord finds the first word of s, a User-Agent value. It returns the word in lower case, truncated to MaxWord bytes
// and stored in buf, and the part of s after the word. ok is false if s contains no word. A word consists of the
// characters used in product names: the characters of a token (RFC 9110 §5.6.2) without the punctuation that no product
// uses.
func NextWord(s string, buf *[MaxWord]byte) (word []byte, rest string, ok bool) {
	start := 0
	for start < len(s) && !inWord(s[start]) {
		start++
	}
	if start == len(s) {
		return nil, "", false
	}
	end := start
	for end < len(s) && inWord(s[end]) {
		end++
	}
	n := 0
	for i := start; i < end && n < MaxWord; i++ {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[n] = c
		n++
	}
	return buf[:n], s[end:], true
}

func inWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.'
}
