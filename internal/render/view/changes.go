package view

import "time"

// Changes is the history of the facts, as templates see it.
type Changes struct {
	Updated  time.Time    // when the facts last changed, or zero
	Since    time.Time    // when the facts were first published, or zero
	Known    bool         // whether there is a history; otherwise no changes are listed
	Days     []ChangedDay // the days with changes, newest first
	More     bool         // whether older changes are omitted
	Feeds    []Link       // the feeds of the changes
	Language string       // the language of the values as a BCP 47 tag if it differs from the page's, or empty
}

// ChangedDay is a day with changes, in the site's time zone.
type ChangedDay struct {
	Date    time.Time // the day
	Changes []Change  // the changes of the day
}

// Change is a change in readable form. Old is "" for an addition, and New is "" for a removal.
type Change struct {
	ID   string   // its anchor, which feeds link to
	Fact string   // the fact's path, as pages name it
	Old  PastText // the old value, or empty
	New  PastText // the new value, or empty
}

// PastText is a value from the history of the facts. Its addresses are plain text, because they may belong to removed
// pages, and the history must never break a build (wire contract §5).
type PastText string
