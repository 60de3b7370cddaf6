package artifact

import "strings"

// Agents are the programs that a build knows by the names that they give themselves in User-Agent: those that read for a
// language model, and others. A build keeps them where its site has chosen OptionAgents, so that whoever serves it decides
// by one list. It is safe for concurrent use.
type Agents struct {
	known map[string]bool // whether it reads for a language model, by its name
	names [2][]string
}

// OptionOfAgents is the resource that keeps the names in a build, in lower case.
func OptionOfAgents(ai, others []string) Resource {
	return Resource{Path: OptionPrefix + OptionAgents, Kind: KindFallback, Location: strings.Join(ai, " ") + agentsSeparator + strings.Join(others, " ")}
}

const agentsSeparator = ","

// agents reads the names that a build keeps, nil where its site has not chosen that they count.
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

// Names returns the names: those that read for a language model, and the others.
func (a *Agents) Names() (ai, others []string) { return a.names[0], a.names[1] }

// AI reports whether a User-Agent is that of a program that reads for a language model: its first word that is a name says
// so. The cost goes by the length, whatever is in it, so that a server can ask for every request.
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

// MaxWord is how many bytes of a word are looked at: no name of a program is longer.
const MaxWord = 48

// NextWord returns the first word of a User-Agent in lower case, and what follows it.
// A word is made of the letters that names of products have here: a token of RFC 9110
// §5.6.2 without the signs that none of them uses.
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
