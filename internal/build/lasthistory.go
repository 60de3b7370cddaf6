package build

import (
	"time"

	"vitrine/internal/codec"
	"vitrine/internal/facts"
	"vitrine/internal/history"
	"vitrine/internal/site"
)

// A lastHistory is a site's history in Git, as the previous run has stored it.
type lastHistory struct {
	gitHistory
	// indexed contains the dates stored with the index. If there is a patch, they are older than those in gitHistory.
	indexed history.Dates
}

// readHistory decodes rest, a stored history, and applies the differences in patch, which is "" if there are no
// differences. It returns nil if the data is damaged.
func readHistory(rest, patch string) *lastHistory {
	was, ok := decodeHistory(rest)
	if !ok {
		return nil
	}
	last := &lastHistory{was, was.dates}
	if patch == "" {
		return last
	}
	later, ok := decodeHistory(patch)
	if !ok {
		return nil
	}
	last.facts, last.dates = later.facts, make(history.Dates, len(was.dates)+len(later.dates))
	for _, dates := range []history.Dates{was.dates, later.dates} {
		for name, when := range dates {
			if last.dates[name] = when; when.IsZero() {
				delete(last.dates, name)
			}
		}
	}
	return last
}

func decodeHistory(written string) (h gitHistory, ok bool) {
	r := codec.NewReader(written)
	h.record(codec.From(r))
	return h, r.Done()
}

func (h *gitHistory) encode() string {
	var w codec.Writer
	h.record(codec.To(&w))
	return string(w.Data)
}

// since returns h with only the dates that differ from those in was. A date that only was contains becomes the zero
// time.
func (h *gitHistory) since(was history.Dates) *gitHistory {
	later := &gitHistory{make(history.Dates), h.facts}
	for name, when := range h.dates {
		if !when.Equal(was[name]) {
			later.dates[name] = when
		}
	}
	for name := range was {
		if _, has := h.dates[name]; !has {
			later.dates[name] = time.Time{}
		}
	}
	return later
}

// hasFactsOf reports whether h and other contain the same changes to the facts and the same date of product.yaml.
func (h *gitHistory) hasFactsOf(other *gitHistory) bool {
	is, was := gitHistory{facts: h.facts}, gitHistory{facts: other.facts}
	return h.dates[productFile].Equal(other.dates[productFile]) && is.encode() == was.encode()
}

func (h *gitHistory) record(c codec.Coder) {
	codec.Map(c, (*map[string]time.Time)(&h.dates), c.Text, func(t *time.Time) { recordTime(c, t) })
	recordTime(c, &h.facts.Since)
	recordTime(c, &h.facts.Forgotten)
	c.Bool(&h.facts.More)
	c.Bool(&h.facts.Shallow)
	codec.List(c, &h.facts.Changes, func(change *facts.Change) {
		recordTime(c, &change.When)
		c.Text(&change.Path)
		for _, f := range []**site.Fact{&change.Old, &change.New} {
			there := *f != nil
			if c.Bool(&there); !there {
				continue
			}
			if c.Reading() {
				*f = new(site.Fact)
			}
			site.RecordFact(c, *f)
		}
	})
}

func recordTime(c codec.Coder, t *time.Time) {
	seconds := t.Unix()
	if codec.Int(c, &seconds); !c.Reading() {
		return
	}
	if *t = time.Unix(seconds, 0).UTC(); seconds == (time.Time{}).Unix() {
		*t = time.Time{}
	}
}
