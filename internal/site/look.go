package site

// Theme is the look by settings: what site.yaml says of colours, pictures and letters.
type Theme struct {
	// Accent is the brand's colour as six hexadecimal digits, "7a3e00"; "" for
	// the theme's own.
	Accent    string
	AccentPos Pos
	// Logo stands in place of the site's name; LogoDark does in the dark scheme,
	// where it differs. They and Favicon are files below content/static/.
	Logo     Reference // the file's name
	LogoDark Reference // the file's name
	Favicon  Reference // the file's name
	// Text and Headings are how letters look: "system", "serif", "mono", or a
	// file below content/static/.
	Text     Reference // the letters of texts
	Headings Reference // the letters of headings
	// Scheme is "light", "dark", or "auto" for the reader's own with a switch.
	Scheme string
}

// Notice is the bar above every page.
type Notice struct {
	Text string
	// Path is where it leads, "" where it leads nowhere.
	Path string
	// Pos is where Path is written, or the notice where it has none.
	Pos Pos
}

// Action is the button in the header of every page.
type Action struct {
	Label string
	// Path is a path on the site or an absolute URL.
	Path string
	// Pos is where Path is written.
	Pos Pos
}

// Machines says what visitors do not see of what the site offers to programs. Addresses that a page has stay in its
// header fields and in its head.
type Machines struct {
	NoMenu    bool // the menu "Copy page" at the title of a page
	NoFooter  bool // the line for machines in the footer
	NoChanges bool // the page `/changes` and its feeds
	NoCLI     bool // the page `/cli` and the tool
}

// Script is a script of somebody else that every page asks for.
type Script struct {
	// Src is an https URL.
	Src   string
	Defer bool // the attribute `defer`
	Async bool // the attribute `async`
	Pos   Pos
}

// Word is a word of the theme that the site says otherwise, by its key.
type Word struct {
	Key  string // the key
	Pos  Pos
	Text string // what the site says
	// TextPos is where the text is written, or the forms are.
	TextPos Pos
	// Forms are the texts for different counts, each by the name of its form, where one does not serve all.
	Forms []Word
}
