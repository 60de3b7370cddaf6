package contract

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// link is one link of a Link field (RFC 8288 §3).
type link struct {
	target    string
	relations []string
}

// has reports whether the link has the relation type.
func (l link) has(relation string) bool { return slices.Contains(l.relations, relation) }

// links parses the lines of a Link field. It omits invalid links.
func links(lines []string) []link {
	var all []link
	for _, member := range members(strings.Join(lines, ",")) {
		target, params, ok := strings.Cut(strings.TrimPrefix(member, "<"), ">")
		if !ok || !strings.HasPrefix(member, "<") {
			continue
		}
		l := link{target: target}
		for _, p := range split(params, ';') {
			name, value, _ := strings.Cut(p, "=")
			if strings.EqualFold(strings.TrimSpace(name), "rel") && l.relations == nil {
				l.relations = strings.Fields(strings.ToLower(strings.Trim(value, `" `)))
			}
		}
		all = append(all, l)
	}
	return all
}

// members returns the members of a comma-separated list, in which a comma in quotes or in angle brackets isn't a
// separator.
func members(list string) []string { return split(list, ',') }

// split cuts s at each separator outside quotes and angle brackets. It trims the parts and omits empty ones.
func split(s string, separator byte) []string {
	var parts []string
	quoted, bracketed, start := false, false, 0
	add := func(end int) {
		if part := strings.TrimSpace(s[start:end]); part != "" {
			parts = append(parts, part)
		}
		start = end + 1
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '<' || c == '>':
			bracketed = c == '<'
		case c == separator && !bracketed:
			add(i)
		}
	}
	add(len(s))
	return parts
}

// resolve returns reference as an absolute URL. A path is relative to base, the site's base URL.
func resolve(base, reference string) (string, error) {
	if strings.HasPrefix(reference, "/") && !strings.HasPrefix(reference, "//") {
		reference = base + reference
	}
	b, err := url.Parse(base + "/")
	if err != nil {
		return "", fmt.Errorf("reading the base URL: %w", err)
	}
	u, err := b.Parse(reference)
	if err != nil {
		return "", fmt.Errorf("reading the URL: %w", err)
	}
	return u.String(), nil
}

// listed reports whether list, the value of the field called name, contains member. The comparison is case-sensitive in
// a list of methods (Allow and Access-Control-Allow-Methods) and for a member with a quote, an angle bracket, or an
// equals sign. Otherwise, it ignores case.
func listed(name, list, member string) bool {
	same := func(s string) bool { return s == member }
	if !strings.ContainsAny(member, `"<=`) && !strings.EqualFold(name, "Allow") && !strings.EqualFold(name, "Access-Control-Allow-Methods") {
		same = func(s string) bool { return strings.EqualFold(s, member) }
	}
	return slices.ContainsFunc(members(list), same)
}
