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

// run is what a run keeps for the next one in addition to what is found on pages.
type run struct {
	// head is the commit that HEAD of git was, if dates were taken from git.
	head string
	// A build keeps what it counted, the pages that wait for their dates, as load records
	// them, in zone, and where it put the resources: groups are the files and the outputs
	// of the whole site, and places are where resources are in the manifest, in the
	// order in which they were appended.
	summary publish.Summary
	zone    string
	waiting []waitingPage
	groups  map[string]groupRecord
	places  []uint32
	// A check keeps the problems of the files of the whole site. asked says how they were
	// looked for, and dead are the broken links in them.
	asked   outputsAsked
	outputs []site.Problem
	dead    []string
}

// waitingPage is a page that waits for its date.
type waitingPage struct {
	// withheld says that the build left it out.
	withheld bool
	source   string
}

// groupRecord is a group of resources: first and count say which, by their turns.
type groupRecord struct {
	key          uint64
	first, count int
}

func (r *run) record(c codec.Coder) {
	c.Text(&r.head)
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

// readRun reads what written returned.
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

// outputsAsked says how the files of the whole site were looked at.
type outputsAsked uint8

const (
	notAsked outputsAsked = iota
	// templatesAsked is what a site with errors has: what comes of them is not reported.
	templatesAsked
	allAsked
)

// asks says how the files of the whole site are to be looked at: of a site with errors
// only what is wrong with their templates, and that only if every page was set.
func (b *builder) asks() outputsAsked {
	switch {
	case !b.wrong:
		return allAsked
	case b.checker.Totals().Unset():
		return notAsked
	}
	return templatesAsked
}

// RestoreOutputs takes over what was found in the files of the whole site if they are
// not made; false if they have to be.
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

// KeepOutputs keeps what a check found in the files of the whole site.
func (t *takeover) KeepOutputs(asked outputsAsked, problems []site.Problem, dead []string) {
	if t.b.stage == nil {
		t.run.asked, t.run.outputs, t.run.dead = asked, slices.Clone(problems), slices.Clone(dead)
	}
}

// Has reports whether a group of resources can be restored, which Restore then does.
func (t *takeover) Has(g group) bool {
	if t.was == nil || !t.onlyTexts && (g.source == "" || !t.sameSettings) {
		return false
	}
	kept, ok := t.ran.groups[g.name]
	return ok && kept.key == g.key && (g.source == "" || t.b.tree.Unchanged(g.source))
}

// Restore restores a group of resources.
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

// Keep keeps a group whose resources are about to be appended.
func (t *takeover) Keep(g group, resources int) {
	t.run.groups[g.name] = groupRecord{g.key, t.b.stage.Added(), resources}
}

// KeepAll has all that was kept written, with the problems that the run found: a check's
// now, and a build's when it is published.
func (t *takeover) KeepAll(problems []site.Problem) {
	t.next.Header = t.header
	t.next.Problems = slices.Clone(problems)
	t.next.From, t.next.Until = t.b.now.UnixNano(), plan.HoldsUntil(t.b.site).UnixNano()
	t.next.Included = t.b.included.with(nil)
	if t.was != nil {
		t.next.Included = t.b.included.with(t.was.Included)
	}
	for _, number := range slices.Sorted(maps.Keys(t.repaired)) {
		t.next.Keep(number, t.repaired[number])
	}
	if t.b.stage == nil {
		// The next check finds what cannot be kept.
		_ = t.commit()
		return
	}
	t.kept = true
	if t.run.head == "" {
		// Without a head nothing counts as unchanged.
		t.next.Until = t.next.From
	}
	t.run.zone = t.b.site.Config.Location.String()
	t.run.waiting = t.b.waiting()
	t.b.stage.OnPublished(func(summary publish.Summary, places []uint32) error {
		t.run.summary, t.run.places = summary, places
		return t.commit()
	})
}

func (t *takeover) commit() error {
	t.next.Run = t.run.written()
	var rest codec.Writer
	t.history.record(codec.To(&rest))
	return t.next.Commit(t.b.checker.Totals(), string(rest.Data))
}

// waiting are the pages that wait for their dates.
func (b *builder) waiting() (waiting []waitingPage) {
	for i, p := range slices.Concat(b.site.Pages, b.site.Withheld) {
		if p.Scheduled && !p.Draft {
			// Nothing of its text or its title may be in the build's folder.
			bare := &site.Page{Source: p.Source, Path: p.Path, Date: p.Date}
			waiting = append(waiting, waitingPage{
				withheld: i >= len(b.site.Pages), source: encode(load.Source{Page: bare}, b.site.Config.Location),
			})
		}
	}
	return waiting
}
