package build

import (
	"context"
	"fmt"
	"strings"
	"time"

	"vitrine/internal/facts"
	"vitrine/internal/folder"
	"vitrine/internal/history"
	"vitrine/internal/load"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// A gitHistory is a site's history in Git: the date of each source's last commit, and the changes to the facts.
type gitHistory struct {
	dates history.Dates
	facts facts.History
}

// A keptHistory is the history up to the commit head. head is "" if that commit is unknown.
type keptHistory struct {
	head string
	gitHistory
}

// same reports whether HEAD of the repository at root is still the commit k.head. It returns false if either commit is
// unknown.
func (k keptHistory) same(root string) bool {
	head, known := history.Head(root)
	return known && k.head != "" && head == k.head
}

// at returns the current history of the site at root. If HEAD is k.head, at returns k. If the repository has no commits
// or is a shallow clone, at returns a history without dates. Otherwise, at calls ask, which reads it from Git.
func (k keptHistory) at(root string, ask func(was keptHistory) (gitHistory, error)) (keptHistory, error) {
	head, known := history.Head(root)
	switch {
	case known && (head == history.None || head == history.Shallow):
		return keptHistory{head, gitHistory{facts: facts.History{Shallow: head == history.Shallow}}}, nil
	case known && head == k.head:
		return k, nil
	}
	asked, err := ask(k)
	if asked.dates == nil {
		// Git has returned no dates for an unknown reason, so the next run must ask again.
		head = ""
	}
	now := keptHistory{head, gitHistory{make(history.Dates, len(asked.dates)), asked.facts}}
	for name, when := range asked.dates {
		if strings.HasPrefix(name, folder.Content+"/") || strings.HasPrefix(name, folder.Templates+"/") {
			now.dates[name] = when
		}
	}
	return now, err
}

// mostVersions is the maximum number of versions of product.yaml to read. If there are more, the oldest are ignored.
const mostVersions = 1000

// askGit reads the history of a site from Git. was is the stored history of the previous run, up to the commit
// was.head.
func (b *builder) askGit(ctx context.Context, was keptHistory) (asked gitHistory, err error) {
	if asked.dates, err = history.Since(ctx, b.opt.Root, was.head, was.dates); err != nil || len(asked.dates) == 0 {
		return asked, err
	}
	versions, err := history.Versions(ctx, b.opt.Root, productFile, mostVersions)
	if err != nil {
		return asked, err
	}
	var states []facts.State
	for _, v := range versions {
		// Skip a version with errors, because a site with such a version can't have been published.
		if read, ok := load.Facts(v.Text); ok {
			states = append(states, facts.State{When: v.When, Facts: read})
		}
	}
	asked.facts = facts.NewHistory(states, len(versions) == mostVersions)
	return asked, nil
}

// historyProblems reports a missing or outdated date of the facts. h is the history of the facts.
func (b *builder) historyProblems(h facts.History) {
	product := &b.site.Product
	warn := func(code site.Code, at site.Pos, format string, args ...any) {
		b.problems = append(b.problems, site.Problem{Path: productFile, Pos: at, Severity: site.Warning, Code: code, Text: fmt.Sprintf(format, args...)})
	}
	day := func(t time.Time) string { return t.In(b.site.Config.Location).Format(time.DateOnly) }
	switch said := product.Updated; {
	case h.Shallow && said.IsZero():
		warn(rule.NoHistory, site.Pos{}, "this clone has only part of the git history, so fact changes and page dates are unknown; "+
			"clone the full history (fetch-depth: 0 in GitHub's checkout), or set updated to the date when the facts last changed")
	case !said.IsZero() && !h.Forgotten.IsZero():
		warn(rule.OldUpdated, product.UpdatedPos, "updated is %s, but facts changed after updated was set, in the commit of %s; "+
			"set updated to that date, or remove updated, because git has the date", day(said), day(h.Forgotten))
	}
}
