package view

import "vitrine/internal/site"

// PageSection is a section of a page, from `sections` in its front matter. Markup is HTML in an HTML template and Markdown
// in a Markdown one. Fields that a kind doesn't use are empty.
type PageSection struct {
	Kind    string          // `hero`, `logos`, `rows`, `stats`, `features`, `quotes`, `plans`, `questions`, or `action`
	ID      string          // its anchor, or empty
	First   bool            // whether it begins the page: the title of a hero is then the page's heading
	Layout  string          // for a hero: `wide` or `split`
	Eyebrow any             // a few words above the title
	Title   any             // its heading
	Text    any             // a sentence under the heading
	Actions []SectionAction // at most two links
	Picture *ShownPicture   // for a hero
	Code    any             // code instead of a picture
	Items   []SectionItem   // the items, in order
	Columns string          // the number of columns for features: `one`, `two`, `three`, or `four`
	Pricing *site.Pricing   // with the kind `plans`: the price list
}

// SectionItem is an item of a section.
type SectionItem struct {
	Icon    any            // for a feature, in HTML
	Eyebrow any            // for a row
	Title   any            // the title, the name, the number, or the question
	Text    any            // the paragraph, the label of the number, or the answer
	Role    any            // the role of the quoted person
	Name    string         // the title without markup
	Letters string         // the initials, shown if there is no portrait
	Points  []any          // for a row
	Path    site.Ref       // the link's target, or empty
	Action  *SectionAction // for a row
	Picture *ShownPicture  // its picture
	Flip    bool           // for a row: whether the picture is on the other side
}

// SectionAction is a call-to-action link of a section.
type SectionAction struct {
	Label any      // its text
	Path  site.Ref // the link's target
	Quiet bool     // whether it is a secondary link
}
