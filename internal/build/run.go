package build

import (
	"maps"
	"slices"

	"vitrine/internal/codec"
	"vitrine/internal/load"
	"vitrine/internal/plan"
	"vitrine/internal/publish"
	"vitrine/internal/site"
)

// A run contains the data that a build or a check stores for the next run, in addition to the findings on pages.
type run struct {
	// head is the commit at HEAD. It is "" if the dates aren't from Git.
	head string
	// deploy is a hash of the files in the site's folder that configure its deployment.
	deploy uint64
	// summary is the summary of a build. Only builds set summary, zone, waiting, groups, and places.
	summary publish.Summary
	// zone is the name of the site's time zone.
	zone string
	// waiting contains the scheduled pages that aren't drafts.
	waiting []waitingPage
	// groups maps the names of groups of resources to their records; see group.
	groups map[string]groupRecord
	// places contains the positions of the resources in the manifest, in the order in which they were appended.
	places []uint32
	// asked is the extent to which a check has checked site-wide files. Only checks set asked, outputs, and dead.
	asked outputsAsked
	// outputs contains the problems in site-wide files.
	outputs []site.Problem
	// dead contains the broken links that were found in site-wide files.
	dead []string
}

// A waitingPage is a scheduled page that isn't a draft.
type waitingPage struct {
	// withheld reports whether the build has omitted the page because it wasn't due.
	withheld bool
	// source is an encoded load result with only the source, the path, and the date of the page.
	source string
}

// A groupRecord describes a group of resources in the previous build. key is the group's key, first is the number of
// its first resource, and count is the number of its resources.
type groupRecord struct {
	key          uint64
	first, count int
}

func (r *run) record(c codec.Coder) {
	c.Text(&r.head)
	c.Hash(&r.deploy)
	codec.Uint(c, &r.summary.Pages)
	codec.Uint(c, &r.summary.Files)
	codec.Int(c, &r.summary.Bytes)
	c.Hash(&r.summary.Build)
	c.Text(&r.zone)
	codec.List(c, &r.waiting, func(p *waitingPage) {
		c.Bool(&p.withheld)
		c.Text(&p.source)
	})
	codec.Map(c, &r.groups, c.Text, func(g *groupRecord) {
		c.Hash(&g.key)
		codec.Uint(c, &g.first)
		codec.Uint(c, &g.count)
	})
	codec.List(c, &r.places, func(place *uint32) { codec.Uint(c, place) })
	codec.Uint(c, &r.asked)
	codec.List(c, &r.outputs, func(p *site.Problem) { p.Record(c) })
	c.Texts(&r.dead)
}

// readRun decodes a result of the method written. ok is false if the data is damaged.
func readRun(written string) (r run, ok bool) {
	reader := codec.NewReader(written)
	r.record(codec.From(reader))
	return r, reader.Done()
}

func (r *run) written() string {
	w := codec.Writer{Data: make([]byte, 0, 4*len(r.places)+1<<12)}
	r.record(codec.To(&w))
	return string(w.Data)
}

// An outputsAsked is the extent to which site-wide files are checked. A higher value includes all lower ones.
type outputsAsked uint8

const (
	notAsked outputsAsked = iota
	// templatesAsked means that only errors in the templates are reported, and not problems in their output.
	templatesAsked
	allAsked
)

// asks returns the extent to which site-wide files are checked. If the site has errors, only the templates are checked,
// provided that every page was rendered.
func (b *builder) asks() outputsAsked {
	switch {
	case !b.wrong:
		return allAsked
	case b.checker.Totals().Unset():
		return notAsked
	}
	return templatesAsked
}

// RestoreOutputs reuses the problems and broken links that the previous check has found in site-wide files. It returns
// false if the files must be generated and checked again, because this check is more extensive than the previous one.
func (t *takeover) RestoreOutputs() bool {
	asked := t.b.asks()
	t.run.asked, t.run.outputs, t.run.dead = t.ran.asked, t.ran.outputs, t.ran.dead
	if asked == notAsked || asked > t.ran.asked {
		return asked == notAsked
	}
	t.b.problems = append(t.b.problems, t.ran.outputs...)
	if asked == allAsked {
		t.b.checker.RestoreDead(t.ran.dead)
	}
	return true
}

// KeepOutputs stores the problems and broken links that a check has found in site-wide files. A build stores none.
func (t *takeover) KeepOutputs(asked outputsAsked, problems []site.Problem, dead []string) {
	if t.b.stage == nil {
		t.run.asked, t.run.outputs, t.run.dead = asked, slices.Clone(problems), slices.Clone(dead)
	}
}

// Has reports whether Restore can reuse the group g from the previous build.
func (t *takeover) Has(g group) bool {
	if t.was == nil || !t.onlyTexts && (g.source == "" || !t.sameSettings) {
		return false
	}
	kept, ok := t.ran.groups[g.name]
	return ok && kept.key == g.key && (g.source == "" || t.b.tree.Unchanged(g.source))
}

// Restore adds the resources of the group g from the previous build. Has must have returned true.
func (t *takeover) Restore(g group) error {
	kept := t.ran.groups[g.name]
	t.Keep(g, kept.count)
	for turn := kept.first; turn < kept.first+kept.count; turn++ {
		if err := t.b.stage.Reuse(t.ran.places[turn : turn+1]); err != nil {
			return err
		}
	}
	return nil
}

// Keep records the group g with the given number of resources. It must be called before they are appended.
func (t *takeover) Keep(g group, resources int) {
	t.run.groups[g.name] = groupRecord{g.key, t.b.stage.Added(), resources}
}

// KeepAll stores all records, and the problems that the run has found. A check stores them immediately, and a build
// stores them when it is published.
func (t *takeover) KeepAll(problems []site.Problem) {
	t.next.Header = t.header
	t.next.Problems = slices.Clone(problems)
	t.next.From, t.next.Until = t.b.now.UnixNano(), plan.HoldsUntil(t.b.site).UnixNano()
	if t.was != nil {
		t.next.Included, t.next.Cards = t.was.Included, t.was.Cards
	}
	t.b.included.addTo(&t.next.Header)
	for _, number := range slices.Sorted(maps.Keys(t.repaired)) {
		t.next.Keep(number, t.repaired[number])
	}
	if t.b.stage == nil {
		// Ignore the error. Without a record, the next check only takes longer.
		_ = t.commit()
		return
	}
	t.kept = true
	t.run.zone = t.b.site.Config.Location.String()
	t.run.waiting = t.b.waiting()
	t.b.stage.OnPublished(func(summary publish.Summary, places []uint32) error {
		t.run.summary, t.run.places = summary, places
		return t.commit()
	})
}

func (t *takeover) commit() error {
	t.next.Run = t.run.written()
	rest := &t.history
	if t.next.Patches() {
		rest = rest.since(t.before.indexed)
	}
	return t.next.Commit(t.b.checker.Totals(), rest.encode())
}

// waiting returns the scheduled pages that aren't drafts.
func (b *builder) waiting() (waiting []waitingPage) {
	for i, p := range slices.Concat(b.site.Pages, b.site.Withheld) {
		if p.Scheduled && !p.Draft {
			// The build folder must not contain the page's text or its title.
			bare := &site.Page{Source: p.Source, Path: p.Path, Date: p.Date}
			waiting = append(waiting, waitingPage{
				withheld: i >= len(b.site.Pages), source: encode(load.Source{Page: bare}, b.site.Config.Location),
			})
		}
	}
	return waiting
}
