package site

import "vitrine/internal/codec"

// The kinds of sections, as front matter names them.
const (
	Hero      = "hero"
	Logos     = "logos"
	Rows      = "rows"
	Stats     = "stats"
	Features  = "features"
	Quotes    = "quotes"
	Plans     = "plans"
	Questions = "questions"
	CallToAct = "action"
)

// Section is one section of a page, from `sections:` in its front matter. Each
// kind uses some of the members; the others are zero.
type Section struct {
	Kind string
	// Pos is where the section begins.
	Pos Pos
	// Layout is "wide" or "split", of a hero alone.
	Layout  string
	Eyebrow Written
	Title   Written
	Text    Written
	Actions []SectionAction
	Picture Figure
	// Code is shown in the place of a picture: a fenced block, or the lines alone.
	Code  Written
	Items []SectionItem
}

// SectionItem is an item of a section. Each kind of section uses some of the members.
type SectionItem struct {
	Pos  Pos
	Icon Written // of a feature: a name
	// Eyebrow is the small line above the title of a row.
	Eyebrow Written
	// Title is what the item is called: the title of a row or a feature, the name of a
	// company or a person, a number, a question.
	Title Written
	// Text is what the item says: the text of a row, a feature or a quote, the label of
	// a number, the answer to a question.
	Text    Written
	Role    Written       // of the person who is quoted
	Points  []Written     // of a row
	Target  Reference     // where a feature or a logo leads, zero for nowhere
	Action  SectionAction // of a row, zero for none
	Picture Figure
}

// Written is a text in Markdown, with its place; Text is "" where there is none.
type Written struct {
	Text string
	Pos  Pos
}

// SectionAction is a link that a section invites to.
type SectionAction struct {
	Label  Written
	Target Reference
}

// Figure is a picture of a section, or the cover of an article. Its Src.Target is "" where there is none.
type Figure struct {
	Src Reference
	// Alt is the alternative text; "" for a picture that says nothing of its own.
	Alt string
}

// Record writes a section for the next build, or reads it.
func (s *Section) Record(c codec.Coder) {
	c.Text(&s.Kind)
	s.Pos.Record(c)
	c.Text(&s.Layout)
	for _, text := range []*Written{&s.Eyebrow, &s.Title, &s.Text, &s.Code} {
		text.record(c)
	}
	codec.List(c, &s.Actions, func(a *SectionAction) { a.record(c) })
	RecordFigure(c, &s.Picture)
	codec.List(c, &s.Items, func(i *SectionItem) { i.record(c) })
}

func (i *SectionItem) record(c codec.Coder) {
	i.Pos.Record(c)
	for _, text := range []*Written{&i.Icon, &i.Eyebrow, &i.Title, &i.Text, &i.Role} {
		text.record(c)
	}
	codec.List(c, &i.Points, func(text *Written) { text.record(c) })
	RecordReference(c, &i.Target)
	i.Action.record(c)
	RecordFigure(c, &i.Picture)
}

func (w *Written) record(c codec.Coder) {
	c.Text(&w.Text)
	w.Pos.Record(c)
}

func (a *SectionAction) record(c codec.Coder) {
	a.Label.record(c)
	RecordReference(c, &a.Target)
}

// RecordFigure writes a picture for the next build, or reads it.
func RecordFigure(c codec.Coder, f *Figure) {
	RecordReference(c, &f.Src)
	c.Text(&f.Alt)
}

// RecordReference writes a reference for the next build, or reads it.
func RecordReference(c codec.Coder, r *Reference) {
	c.Text(&r.Target)
	r.Pos.Record(c)
}
