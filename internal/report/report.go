package report

import (
	"cmp"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"vitrine/internal/load/suggest"
	"vitrine/internal/readers"
)

// Options select the lines to count, and describe the site.
type Options struct {
	// Tools contains the names that the site's tools send in User-Agent.
	Tools []string
	// Ranges contains the addresses that operators publish for their programs. If it is empty, names aren't verified.
	Ranges Ranges
	// Since and Until are the first and last day, such as "2026-10-01", or "" for no limit.
	Since, Until string
	// Pages contains the paths of the site's pages, which the report suggests as targets of redirects from missing
	// paths. It may be empty.
	Pages []string
	// Mount is the site's base path, which is the prefix of Pages, or "" for the root.
	Mount string
}

// Report is a summary of logs.
type Report struct {
	// Lines is the number of counted lines.
	Lines int64 `json:"lines"`
	// Unread is the number of lines that can't be parsed, or that are from other days after mostDays days have been
	// counted.
	Unread int64 `json:"unread"`
	// Outside is the number of lines from days before Since or after Until.
	Outside int64 `json:"outside"`
	// From and To are the first and the last day with counted lines, or "" if no lines were counted.
	From string `json:"from"`
	To   string `json:"to"`
	// Days contains the days with requests, sorted by date.
	Days     []Day    `json:"days"`
	Families []Reader `json:"families"`
	// Agents contains the programs that used a published name.
	Agents []Agent `json:"agents"`
	// Missing contains the paths with 404 responses, most frequent first.
	Missing []Missing `json:"missing"`
	// Limited contains the number of 429 responses to each family.
	Limited []Count `json:"limited"`
	// MarkdownReady contains the pages that readers for language models received as HTML although Markdown was
	// available.
	MarkdownReady []Count `json:"markdownReady"`
	// Undecided is the number of page responses to readers for language models whose media type isn't in the log.
	Undecided int64 `json:"undecided"`
}

// Day contains the number of requests on a day, keyed by the family of the reader.
type Day struct {
	Day      string                   `json:"day"`
	Requests map[readers.Family]int64 `json:"requests"`
}

// Reader summarizes the requests of a family of readers, such as search engines.
type Reader struct {
	Family   readers.Family `json:"family"`
	Requests int64          `json:"requests"`
	Bytes    int64          `json:"bytes"`
	// NotModified is the number of 304 responses, which the server sends if the reader's copy is current.
	NotModified     int64                            `json:"notModified"`
	Representations map[readers.Representation]int64 `json:"representations"`
	Paths           []Count                          `json:"paths"`
}

// Agent is a program that used a published name.
type Agent struct {
	Name     string         `json:"name"`
	Family   readers.Family `json:"family"`
	Requests int64          `json:"requests"`
	// Unverified is the number of requests from addresses that the program's operator doesn't publish, or -1 if the
	// published addresses are unknown.
	Unverified int64 `json:"unverified"`
}

// Missing is a path for which the server responded with status 404.
type Missing struct {
	Path     string `json:"path"`
	Requests int64  `json:"requests"`
	// Redirect is the path of the page that readers probably wanted, or "" if there is none.
	Redirect string `json:"redirect,omitempty"`
}

// Share returns the fraction of requests whose response was 304, from 0 to 1.
func (r Reader) Share() float64 { return float64(r.NotModified) / float64(max(1, r.Requests)) }

// counter counts the lines processed by one worker.
type counter struct {
	options  *Options
	index    *readers.Index
	lines    int64
	unread   int64
	outside  int64
	days     map[string]map[readers.Family]int64
	families map[readers.Family]*familyCounter
	agents   map[string]*Agent
	missing  tally
	limited  map[readers.Family]int64
	// html counts the HTML responses to readers for language models, by path. unsure is the number of page responses to
	// these readers whose media type is unknown.
	html   tally
	unsure int64
}

type familyCounter struct {
	Reader
	paths tally
}

func newCounter(o *Options, index *readers.Index) *counter {
	return &counter{
		options: o, index: index,
		days: make(map[string]map[readers.Family]int64), families: make(map[readers.Family]*familyCounter),
		agents: make(map[string]*Agent), limited: make(map[readers.Family]int64),
	}
}

// mostDays is the maximum number of days in a report, which is more than any real log covers. If a log has more days,
// the lines of the additional days are counted as Unread.
const mostDays = 10_000

// add counts the request in l.
func (c *counter) add(l *line) {
	if c.options.Since != "" && l.day < c.options.Since || c.options.Until != "" && l.day > c.options.Until {
		c.outside++
		return
	}
	day := c.days[l.day]
	if day == nil {
		if len(c.days) == mostDays {
			c.unread++
			return
		}
		day = make(map[readers.Family]int64)
		c.days[l.day] = day
	}
	c.lines++
	family, name := c.index.Of(l.agent)
	if name != "" {
		family = c.addAgent(family, name, l)
	}
	day[family]++
	name, _, _ = strings.Cut(l.target, "?")
	kind := l.kind(c.options.Mount)
	c.addRead(family, kind, name, l)
	switch {
	case l.status == http.StatusTooManyRequests:
		c.limited[family]++
	case l.status == http.StatusNotFound && !isProbe(name):
		c.missing.add(name, 1)
	case l.status == http.StatusOK && family.AI() && kind == readers.HTML:
		c.html.add(name, 1)
	case l.status == http.StatusOK && family.AI() && kind == readers.Page:
		c.unsure++
	}
}

// addAgent counts a request under the published name of its program, and returns the family of the request. If the
// client's address isn't in the program's published ranges, addAgent counts the request as unverified and returns the
// family of other programs.
func (c *counter) addAgent(family readers.Family, name string, l *line) readers.Family {
	a := c.agents[name]
	if a == nil {
		a = &Agent{Name: name, Family: family, Unverified: -1}
		if _, known := c.options.Ranges[strings.ToLower(name)]; known {
			a.Unverified = 0
		}
		c.agents[name] = a
	}
	a.Requests++
	if a.Unverified >= 0 && !c.options.Ranges.verified(name, l.address()) {
		a.Unverified++
		return readers.Other
	}
	return family
}

func (c *counter) addRead(family readers.Family, kind readers.Representation, name string, l *line) {
	f := c.families[family]
	if f == nil {
		f = &familyCounter{Reader: Reader{Family: family, Representations: make(map[readers.Representation]int64)}}
		c.families[family] = f
	}
	f.Requests++
	f.Bytes += l.bytes
	if l.status == http.StatusNotModified {
		f.NotModified++
	}
	if l.status == http.StatusOK || l.status == http.StatusNotModified {
		f.Representations[kind]++
		if kind != readers.Asset {
			f.paths.add(name, 1)
		}
	}
}

// isProbe reports whether the path name is typical of scans for vulnerabilities in software that Vitrine sites don't
// run. Redirects from such paths would be useless.
func isProbe(name string) bool {
	lower := strings.ToLower(name)
	for _, sign := range []string{".php", ".asp", ".jsp", ".cgi", ".env", "/.git", "/.aws", "/.ssh", "wp-", "wordpress", "cgi-bin", "xmlrpc", "phpmyadmin", "/actuator", "/vendor/", ".sql", ".bak"} {
		if strings.Contains(lower, sign) {
			return true
		}
	}
	return false
}

// merge adds the counts of o, another worker's counter.
func (c *counter) merge(o *counter) {
	c.lines, c.unread, c.outside, c.unsure = c.lines+o.lines, c.unread+o.unread, c.outside+o.outside, c.unsure+o.unsure
	for name, day := range o.days {
		if c.days[name] == nil {
			c.days[name] = day
			continue
		}
		addCounts(c.days[name], day)
	}
	for family, f := range o.families {
		mine := c.families[family]
		if mine == nil {
			c.families[family] = f
			continue
		}
		mine.Requests, mine.Bytes, mine.NotModified = mine.Requests+f.Requests, mine.Bytes+f.Bytes, mine.NotModified+f.NotModified
		addCounts(mine.Representations, f.Representations)
		mine.paths.merge(&f.paths)
	}
	for name, a := range o.agents {
		if mine := c.agents[name]; mine == nil {
			c.agents[name] = a
		} else {
			mine.Requests += a.Requests
			if a.Unverified > 0 {
				mine.Unverified += a.Unverified
			}
		}
	}
	addCounts(c.limited, o.limited)
	c.missing.merge(&o.missing)
	c.html.merge(&o.html)
}

func addCounts[K comparable](to, from map[K]int64) {
	for k, n := range from {
		to[k] += n
	}
}

// shown is the maximum number of rows in a table of the report.
const shown = 20

// report returns a summary of the counts. The lists in the summary are sorted, and lists of paths contain only the most
// frequent paths.
func (c *counter) report() *Report {
	r := &Report{Lines: c.lines, Unread: c.unread, Outside: c.outside, Undecided: c.unsure, MarkdownReady: c.html.top(shown)}
	for _, day := range slices.Sorted(maps.Keys(c.days)) {
		r.Days = append(r.Days, Day{day, c.days[day]})
	}
	if n := len(r.Days); n > 0 {
		r.From, r.To = r.Days[0].Day, r.Days[n-1].Day
	}
	for _, family := range readers.Families() {
		if f := c.families[family]; f != nil {
			f.Paths = f.paths.top(shown)
			r.Families = append(r.Families, f.Reader)
		}
		if n := c.limited[family]; n > 0 {
			r.Limited = append(r.Limited, Count{string(family), n})
		}
	}
	for _, a := range c.agents {
		r.Agents = append(r.Agents, *a)
	}
	slices.SortFunc(r.Agents, func(a, b Agent) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Name, b.Name))
	})
	for _, m := range c.missing.top(shown) {
		r.Missing = append(r.Missing, Missing{m.Name, m.Count, meant(m.Name, c.options.Pages)})
	}
	return r
}

// meant returns the path of the page that readers who request the path missing probably want. If exactly one page has
// the same last segment, it returns the path of that page. Otherwise, it returns the most similar path, or "" if no
// path is similar.
func meant(missing string, pages []string) string {
	var same []string
	for _, p := range pages {
		if p != "/" && path.Base(p) == path.Base(strings.TrimSuffix(missing, ".html")) {
			same = append(same, p)
		}
	}
	if len(same) == 1 {
		return same[0]
	}
	return suggest.Nearest(missing, pages)
}
