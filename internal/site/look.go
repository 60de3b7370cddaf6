package site

// Theme is the look from the settings: the colors, pictures, and fonts in site.yaml.
type Theme struct {
	// Accent is the brand's color as six hexadecimal digits, such as "7a3e00", or "" for the theme's
	// default.
	Accent    string
	AccentPos Pos
	// Logo replaces the site's name. LogoDark, if different, is used in the dark scheme. Both and Favicon are files
	// under content/static/.
	Logo     Reference // the file's name
	LogoDark Reference // the file's name
	Favicon  Reference // the file's name
	// Text and Headings select fonts: "system", "serif", "mono", or a file under content/static/.
	Text          Reference // the font of text
	Headings      Reference // the font of headings
	TextFonts     []Font    // the fonts of text, if there is a file for each weight and style
	HeadingsFonts []Font    // the fonts of headings, if there is a file for each weight and style
	// Scheme is "light", "dark", or "auto" for the reader's preference with a switch.
	Scheme string
}

// Font is a font file for one weight and style, or for a range of weights.
type Font struct {
	Src Reference // the file's name
	// Weight is a number such as "400", or two such as "100 900" of a variable font; "" for all weights of a variable font, or 400.
	Weight string // a weight such as 400, a range such as 100 900, or empty
	Style  string // normal, italic, or empty for normal
	Range  string // the characters that the file is for, or empty for all
}

// Notice is the bar above every page.
type Notice struct {
	Text string
	// Path is the target of the bar's link, or "".
	Path string
	// Pos is the position of Path, or of the notice if it has none.
	Pos Pos
}

// Action is the button in the header of every page.
type Action struct {
	Label string
	// Path is a path on the site or an absolute URL.
	Path string
	// Pos is the position of Path.
	Pos Pos
}

// Machines selects the features for programs that pages hide from visitors. The addresses of a page's forms stay in the
// response's header fields and in `<head>`.
type Machines struct {
	NoMenu    bool // the "Copy page" menu next to a page's title
	NoFooter  bool // the line for machines in the footer
	NoChanges bool // the page `/changes` and its feeds
	NoCLI     bool // the page `/cli` and the tool
}

// Script is a third-party script that every page loads.
type Script struct {
	// Src is an https URL.
	Src   string
	Defer bool // the attribute `defer`
	Async bool // the attribute `async`
	Pos   Pos
}

// Word is a word of the theme that the site overrides, by its key.
type Word struct {
	Key  string // the key
	Pos  Pos
	Text string // the site's text for the key
	// TextPos is the position of the text or of the forms.
	TextPos Pos
	// Forms are the plural forms, each with the name of its form, if one string isn't enough.
	Forms []Word
}
