package site

// Theme is the setting `theme` as written in `site.yaml`. To link to its files in a template, use `.Site.Look`.
type Theme struct {
	// Accent is the brand's color as six hexadecimal digits, such as `7a3e00`, or empty for the theme's color.
	Accent    string
	AccentPos Pos
	// Logo, LogoDark, and Favicon are files under content/static/. Logo replaces the site's name. LogoDark, if it is
	// set, replaces Logo in the dark color scheme.
	Logo     Reference // the file of the logo
	LogoDark Reference // the file of the logo for the dark color scheme
	Favicon  Reference // the file of the icon
	// Text and Headings select fonts: "system", "serif", "mono", or a file under content/static/.
	Text          Reference // the font for text: `system`, `serif`, `mono`, or a file
	Headings      Reference // the font for headings: `system`, `serif`, `mono`, or a file
	TextFonts     []Font    // the font files for text, if the setting is a list
	HeadingsFonts []Font    // the font files for headings, if the setting is a list
	// Scheme is the color scheme: `light`, `dark`, or `auto` for the reader's preference with a switch.
	Scheme string
}

// Font is a font file for one weight and style, or for a range of weights.
type Font struct {
	Src Reference // the font file
	// Weight is a number such as "400", or two numbers such as "100 900" for a variable font. If it is "", a variable
	// font provides all its weights, and any other font has weight 400.
	Weight string // a weight such as `400`, a range such as `100 900`, or empty
	Style  string // the style: `normal`, `italic`, or empty for `normal`
	Range  string // the characters that the file covers, or empty for all
}

// Notice is the bar above every page.
type Notice struct {
	Text string
	// Path is the target of the bar's link, or "".
	Path string
	// Pos is the position of Path, or of the notice if Path is "".
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

// Machines contains switches that hide features for programs from visitors. The addresses of a page's other formats
// stay in the response's header fields and in `<head>`.
type Machines struct {
	NoMenu    bool // whether the "Copy page" menu next to a page's title is hidden
	NoFooter  bool // whether the footer's line of links for programs is hidden
	NoChanges bool // whether the page `/changes` and its feeds are omitted
	NoCLI     bool // whether the page `/cli` and the command-line tool are omitted
}

// Script is a third-party script that every page loads.
type Script struct {
	// Src is the script's `https` URL.
	Src   string
	Defer bool // whether the `script` element has the attribute `defer`
	Async bool // whether the `script` element has the attribute `async`
	Pos   Pos
}

// Word is a string of the theme's interface that the site overrides.
type Word struct {
	Key  string // the string's key, or in `.Forms` the name of a plural form
	Pos  Pos
	Text string // the site's text
	// TextPos is the position of Text or, if the word has plural forms, of Forms.
	TextPos Pos
	// Forms contains the strings for the plural forms. It is empty if the site sets one string for all counts.
	Forms []Word
}
