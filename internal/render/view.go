package render

import (
	"html/template"
	"time"

	"vitrine/internal/site"
)

// view is what a layout is executed with.
type view struct {
	Site    *siteView
	Product *site.Product
	Page    *pageView
}

// siteView is the site as templates see it.
type siteView struct {
	*site.Config
	Navigation []navigationView
	HasBlog    bool
}

// navigationView is an entry of the navigation, seen from one page.
type navigationView struct {
	Label, Path string
	// Current says that the entry leads to the page that shows it.
	Current bool
}

// pageView is a page as templates see it.
type pageView struct {
	Path, URL, MarkdownPath string
	Title, Description      string
	Date, Updated           time.Time
	Author                  string
	Tags                    []string
	// Image is the path or URL of the page's social image, or "".
	Image, Layout string
	// Content is template.HTML in an HTML layout and string in a Markdown one.
	Content        any
	Headings       []headingView
	Children       []summary
	Previous, Next *summary
	Breadcrumbs    []summary
	Posts          []summary
	Words, Minutes int
	Params         map[string]any
}

type headingView struct {
	Level    int
	ID, Text string
}

// summary is a page as it stands in a list.
type summary struct {
	Path, URL, Title, Description string
	Date                          time.Time
	Tags                          []string
}

// htmlContent marks rendered Markdown as safe: the Markdown package lets no
// HTML of an author's through.
func htmlContent(content []byte) template.HTML {
	return template.HTML(content)
}
