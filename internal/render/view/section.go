package view

import "vitrine/internal/site"

// PageSection is a section of a page, from `sections` in its front matter. Fields that the section's kind doesn't use
// are empty.
type PageSection struct {
	Kind    string          // the kind: `hero`, `logos`, `rows`, `stats`, `features`, `quotes`, `plans`, `questions`, or `action`
	ID      string          // the section's anchor, or empty
	First   bool            // whether this is the page's first section. If it is a hero, its title is then the page's heading
	Layout  string          // in a hero: the layout, `wide` or `split`
	Eyebrow any             // a few words above the title
	Title   any             // the section's heading
	Text    any             // a sentence under the heading
	Actions []SectionAction // at most two links
	Picture *ShownPicture   // in a hero: the picture
	Code    any             // in a hero: code to show instead of a picture
	Items   []SectionItem   // the items in the order written
	Columns string          // in `features`: the number of columns, as `one`, `two`, `three`, or `four`
	Pricing *site.Pricing   // in `plans`: the price list
}

// SectionItem is an item in a section.
type SectionItem struct {
	Icon    any            // in a feature: the icon, in HTML templates only
	Eyebrow any            // in a row: a few words above the title
	Title   any            // the title, name, number, or question, depending on the section's kind
	Text    any            // the paragraph, quote, label for the number, or answer, depending on the section's kind
	Role    any            // in a quote: the role of the quoted person
	Name    string         // the title without markup
	Letters string         // in a quote: the person's initials, to show if there is no portrait
	Points  []any          // in a row: a list of short points
	Path    site.Ref       // the target of the item's link, or empty
	Action  *SectionAction // in a row: the link under the text
	Picture *ShownPicture  // the item's picture
	Flip    bool           // in a row: whether the picture is on the other side, as in every second row
}

// SectionAction is a link in a section that invites readers to do something, such as "Start for free".
type SectionAction struct {
	Label any      // the link's text
	Path  site.Ref // the link's target
	Quiet bool     // whether the link is secondary and therefore less prominent
}
