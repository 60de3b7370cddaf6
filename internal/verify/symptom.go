package verify

import (
	"net/url"
	"strings"

	"vitrine/internal/contract"
)

// Symptom is the kind of problem with a response. It selects the hint for the problem.
type Symptom string

// The known symptoms.
const (
	NoDiscovery Symptom = "no-discovery"
	Mixed       Symptom = "mixed-representations"
	NoVary      Symptom = "vary-lost"
	NoTag       Symptom = "etag-lost"
	WeakTag     Symptom = "etag-weakened"
	OtherTag    Symptom = "etag-changed"
	Rewritten   Symptom = "bytes-rewritten"
	WrongCoding Symptom = "coding-not-asked-for"
	No304       Symptom = "no-304"
	BadHead     Symptom = "head-differs"
	NoRedirect  Symptom = "no-redirect"
	Unprotected Symptom = "security-header-lost"
	CachedError Symptom = "error-may-be-kept"
	WrongStatus Symptom = "wrong-status"
	WrongType   Symptom = "wrong-content-type"
	Shared      Symptom = "operation-may-be-kept"
	NoLanguage  Symptom = "language-lost"
	NoRelation  Symptom = "link-field-lost"
	Replayed    Symptom = "counters-replayed"
	NoCounters  Symptom = "counters-lost"
	Busy        Symptom = "counters-unexpected"
	Kept429     Symptom = "429-kept"
	DeadLink    Symptom = "link-does-not-answer"
	Stale       Symptom = "not-this-build"
	Preview     Symptom = "preview-deployed"
	NotIndexed  Symptom = "not-indexed"
	Unreachable Symptom = "no-answer"
	Locked      Symptom = "password"
	Barred      Symptom = "refused"
	Loop        Symptom = "redirect-loop"
	PlainText   Symptom = "markdown-as-plain-text"
	Cookie      Symptom = "cookie"
	Hidden      Symptom = "hidden-from-search"
	Slow        Symptom = "slow"
	Broken      Symptom = "server-error"
	Other       Symptom = "other"
)

// symptomOf returns the symptom of a failed line in a probe. mount is the site's base path. A fault that affects many
// lines has one symptom, regardless of the probe that found it.
func symptomOf(probe string, f *contract.Failure, mount contract.Mount) Symptom {
	if f.Want == "" {
		if strings.Contains(f.Got, "follow the response") {
			return BadHead
		}
		return Unreachable
	}
	word, rest, _ := strings.Cut(f.Check, " ")
	switch word {
	case "answers":
		if s := refusal(f.Got); s != "" {
			return s
		}
		if rest == "200" && strings.HasPrefix(f.Got, "3") && f.Got != "304" && redirectsBack(f, mount) {
			return Loop
		}
		return statusSymptom(rest)
	case "header":
		name, _, _ := strings.Cut(rest, " ")
		return headerSymptom(name, probe, f)
	case "keep":
		if strings.HasSuffix(f.Check, "header ETag") {
			return NoTag
		}
	case "body", "decoded":
		if strings.HasPrefix(f.Check, "body fits") {
			return bodySymptom(f.Got)
		}
		switch probe {
		case "head":
			return BadHead
		case "conditional":
			return No304
		}
	case "no":
		if probe == "conditional" {
			return No304
		}
		if strings.HasSuffix(f.Check, "Content-Encoding") {
			return WrongCoding
		}
	}
	return Other
}

// refusal returns the symptom of a status with which a host or a proxy rejects clients (401, 403, and 407) or reports a
// failure (5xx). It returns "" for other statuses.
func refusal(status string) Symptom {
	switch {
	case strings.HasPrefix(status, "401"), strings.HasPrefix(status, "407"):
		return Locked
	case strings.HasPrefix(status, "403"):
		return Barred
	case strings.HasPrefix(status, "5"):
		return Broken
	}
	return ""
}

// redirectsBack reports whether a redirect points to the requested address, or to the same address with a different
// scheme or host. The path of the request, and a Location without a host, are relative to the site's base path.
func redirectsBack(f *contract.Failure, mount contract.Mount) bool {
	line, _, _ := strings.Cut(f.Sent, "\n")
	words := strings.Fields(line)
	if len(words) < 2 {
		return false
	}
	for line := range strings.Lines(f.Answered) {
		name, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(name, "Location") {
			continue
		}
		u, err := url.Parse(strings.TrimSpace(value))
		if err == nil && u.Host != "" {
			return u.RequestURI() == mount.Target(words[1])
		}
		return err == nil && u.RequestURI() == words[1]
	}
	return false
}

// statusSymptom returns the symptom of a wrong status. wanted is the status that was expected instead.
func statusSymptom(wanted string) Symptom {
	switch wanted {
	case "304":
		return No304
	case "308":
		return NoRedirect
	}
	return WrongStatus
}

// headerSymptom returns the symptom of f, a failed line about the missing or wrong header field called name.
func headerSymptom(name, probe string, f *contract.Failure) Symptom {
	lost := f.Got == "no such header"
	switch strings.ToLower(name) {
	case "vary":
		return NoVary
	case "etag":
		if lost {
			return NoTag
		}
		return tagSymptom(f.Got)
	case "content-type":
		if strings.HasPrefix(f.Got, "text/plain") && strings.HasPrefix(f.Want, "text/markdown") {
			return PlainText
		}
		if (probe == "mixing" || probe == "agents") && strings.HasPrefix(f.Got, "text/") {
			return Mixed
		}
		return WrongType
	case "content-length":
		return BadHead
	case "location":
		return NoRedirect
	case "x-content-type-options", "content-security-policy", "referrer-policy", "permissions-policy":
		return Unprotected
	case "cache-control":
		if strings.Contains(f.Want, "private") {
			return Shared
		}
		if strings.Contains(f.Want, "no-store") {
			return CachedError
		}
	case "ratelimit", "ratelimit-policy", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset":
		if lost {
			return NoCounters
		}
		return Busy
	case "content-encoding":
		return WrongCoding
	case "content-language":
		return NoLanguage
	case "link":
		return NoRelation
	}
	return Other
}

// tagSymptom returns the symptom of tag, which differs from the build's ETag and is "" if the response has no ETag.
func tagSymptom(tag string) Symptom {
	switch {
	case tag == "":
		return NoTag
	case strings.HasPrefix(tag, "W/"):
		return WeakTag
	}
	return OtherTag
}

// bodySymptom returns the symptom of a body that doesn't match tag, the ETag of the response.
func bodySymptom(tag string) Symptom {
	switch {
	case tag == "no header ETag":
		return NoTag
	case strings.HasPrefix(tag, "W/"):
		return WeakTag
	}
	return Rewritten
}
