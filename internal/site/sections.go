package site

import "vitrine/internal/codec"

// Kinds of sections in front matter.
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

// Section is an entry of `sections:` in a page's front matter. Fields that the section's kind doesn't use are zero.
type Section struct {
	Kind string
	// Pos is the position of the section in front matter.
	Pos Pos
	// Layout is "wide" or "split" for a hero, and "" for other kinds.
	Layout  string
	Eyebrow Written
	Title   Written
	Text    Written
	Actions []SectionAction
	Picture Figure
	// Code is shown instead of a picture. It is a fenced code block, or the code without the fences.
	Code  Written
	Items []SectionItem
}

// SectionItem is an item in a section. Fields that the section's kind doesn't use are zero.
type SectionItem struct {
	Pos  Pos
	Icon Written // the name of a feature's icon
	// Eyebrow is the small line above the title of a row.
	Eyebrow Written
	// Title is the title of a row or a feature, the name of a company or a quoted person, a number, or a question,
	// depending on the section's kind.
	Title Written
	// Text is the text of a row or a feature, a quote, the label of a number, or the answer to a question, depending on
	// the section's kind.
	Text    Written
	Role    Written       // the role of the person quoted
	Points  []Written     // the short points listed in a row
	Target  Reference     // the target of a feature or a logo, or the zero value if there is none
	Action  SectionAction // the link of a row, or the zero value if there is none
	Picture Figure
}

// Written is a string in Markdown, with its position in front matter. Text is "" if it is unset.
type Written struct {
	Text string
	Pos  Pos
}

// SectionAction is a link in a section that invites readers to do something.
type SectionAction struct {
	Label  Written
	Target Reference
}

// Figure is a picture of a section, the cover of an article, or the portrait of an author. Src.Target is "" if the
// picture is unset.
type Figure struct {
	Src Reference
	// Alt is the alternative text, or "" for a decorative picture.
	Alt string
}

// Record writes s to c or reads it from c, depending on the mode of c.
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

// RecordFigure writes f to c or reads it from c, depending on the mode of c.
func RecordFigure(c codec.Coder, f *Figure) {
	RecordReference(c, &f.Src)
	c.Text(&f.Alt)
}

// RecordReference writes r to c or reads it from c, depending on the mode of c.
func RecordReference(c codec.Coder, r *Reference) {
	c.Text(&r.Target)
	r.Pos.Record(c)
}
