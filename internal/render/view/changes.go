package view

import "time"

// Changes is the history of changes to the facts in `product.yaml`.
type Changes struct {
	Updated  time.Time    // the date when the facts last changed; zero if unknown
	Since    time.Time    // the date when the facts were first published; zero if unknown
	Known    bool         // whether there is a history; otherwise `.Days` is empty
	Days     []ChangedDay // the days with changes, newest first
	More     bool         // whether older changes are omitted
	Feeds    []Link       // the feeds that list the changes
	Language string       // the language of the values as a BCP 47 tag if it differs from the page's, or empty
}

// ChangedDay contains the changes made on one day, in the site's time zone.
type ChangedDay struct {
	Date    time.Time // the day
	Changes []Change  // the changes made on this day
}

// Change is a change of one fact, in readable form.
type Change struct {
	ID   string   // the change's anchor, which feeds link to
	Fact string   // the fact's path, as you write it in the text of pages, such as `pricing.plans.Tree.monthlyPrice`
	Old  PastText // the old value, or empty if the fact was added
	New  PastText // the new value, or empty if the fact was removed
}

// PastText is a value from the history of the facts. URLs in the value are plain text instead of links, because they
// may point to removed pages, and the history must never break a build (wire contract §5).
type PastText string
