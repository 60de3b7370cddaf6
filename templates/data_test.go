package templates_test

import (
	"html/template"
	"time"
)

const base = "https://parley.example"

// The types below have the members that the layouts are promised, and no
// others, so that a layout that asks for more fails here.

type navEntry struct {
	Label, Path string
	Current     bool
}

type siteData struct {
	Title, Description, BaseURL, Language string
	Documentation                         string
	Navigation                            []navEntry
	HasBlog, HasSearch                    bool
	Feeds                                 []feedData
	WhenToUse, WhenNotToUse, Cannot       []string
}

type feedData struct{ Title, Path string }

type tagData struct{ Name, Path string }

type paginationData struct {
	Number, Parts  int
	Previous, Next *summary
}

type sectionData struct {
	Title string
	Pages []summary
	More  int
}

type productData struct {
	Name, URL, Description string
	Audience, Capabilities []string
	Contact                string
	Links                  []linkData
	Pricing                pricingData
	GettingStarted         *startData
}

type linkData struct{ Key, URL string }

type pricingData struct {
	Currency, BillingPeriod, CreditDefinition string
	UnlimitedReps, UnlimitedTeams             bool
	URL                                       string
	Plans                                     []planData
	OnRequest                                 []requestData
}

type planData struct {
	Name, MonthlyPrice string
	IncludedCredits    int64
	YearlyPrice, Note  string
	Features           []string
	Link               string
	Highlight          bool
}

type requestData struct {
	Name, Note string
	Features   []string
	Link       string
}

type startData struct {
	Offer string
	Steps []string
	Demo  string
}

type summary struct {
	Path, URL, Title, Description string
	Date                          time.Time
	Tags                          []string
}

type heading struct {
	Level    int
	ID, Text string
}

// pageData is a page whose content is ready HTML or plain Markdown.
type pageData[T template.HTML | string] struct {
	Path, URL, MarkdownPath, Title, Description string
	Date, Updated                               time.Time
	Author                                      string
	Tags                                        []string
	Image, Layout                               string
	Content                                     T
	Headings                                    []heading
	Children                                    []summary
	Previous, Next                              *summary
	Breadcrumbs, Posts                          []summary
	TagLinks                                    []tagData
	Metadata                                    template.HTML
	Pagination                                  *paginationData
	Sections                                    []sectionData
	SearchIndex                                 string
	Words, Minutes                              int
	Params                                      map[string]any
}

type layoutData[T template.HTML | string] struct {
	Site    siteData
	Product productData
	Page    pageData[T]
}

type problemData struct {
	Type, Title                 string
	Status                      int
	Detail, Resolution, Example string
}

type listedLink struct{ Title, URL, Note string }

type section struct {
	Title string
	Links []listedLink
}

// full is a page that has everything.
func full[T template.HTML | string](layout string, content T) layoutData[T] {
	day := time.Date(2026, 5, 12, 9, 0, 0, 0, time.UTC)
	articles := []summary{
		{Path: "/blog/first", URL: base + "/blog/first", Title: "First | of all", Description: "What came first.", Date: day, Tags: []string{"calls"}},
		{Path: "/blog/second", URL: base + "/blog/second", Title: "Second", Date: day.AddDate(0, 0, -7)},
	}
	return layoutData[T]{
		Site: siteData{
			Title: "Parley", Description: "Sales coaching.", BaseURL: base, Language: "en", HasBlog: true,
			Navigation: []navEntry{{"Pricing", "/pricing", true}, {"Articles", "/blog", false}},
			HasSearch:  true, Feeds: []feedData{{"Parley: Articles", "/feed.xml"}},
			WhenToUse:    []string{"Use it to answer what it costs."},
			WhenNotToUse: []string{"Do not use it for account data."},
			Cannot:       []string{"It cannot listen."},
		},
		Product: productData{
			Name: "Parley", URL: base, Description: "Sales coaching <that> listens.",
			Audience: []string{"Sales leaders", "Coaches"}, Capabilities: []string{"Roleplays", "Scorecards"},
			Contact: "hello@parley.example",
			Links:   []linkData{{"signup", base + "/signup"}, {"docs", base + "/docs/api"}},
			Pricing: pricingData{
				Currency: "EUR", BillingPeriod: "monthly", CreditDefinition: "One analysed call.",
				UnlimitedReps: true, URL: base + "/pricing",
				Plans: []planData{
					{Name: "Starter", MonthlyPrice: "49", IncludedCredits: 100},
					{"Team", "149.50", 500, "1490", "For a team.", []string{"Shared credits", "A view | of all"}, base + "/team", true},
				},
				OnRequest: []requestData{{"Enterprise", "For many.", []string{"Single sign-on"}, base + "/ask"}, {Name: "Campus"}},
			},
			GettingStarted: &startData{"Fourteen days.", []string{"Sign up.", "Call."}, base + "/demo"},
		},
		Page: pageData[T]{
			Path: "/blog/here", URL: base + "/blog/here", MarkdownPath: "/blog/here.md",
			Title: "Title & all", Description: "One line.", Date: day, Updated: day.AddDate(0, 0, 3),
			Author: "The Parley team", Tags: []string{"calls", "practice"}, Image: "/blog/here.png", Layout: layout,
			Content:  content,
			Headings: []heading{{2, "one", "One"}, {3, "more", "More"}, {2, "two", "Two"}, {2, "three", "Three"}},
			Children: articles, Previous: &articles[0], Next: &articles[1], Posts: articles,
			Breadcrumbs: []summary{{Path: "/", Title: "Home"}, {Path: "/blog", Title: "Articles"}},
			TagLinks:    []tagData{{"calls", "/tags/calls"}, {"practice", "/tags/practice"}},
			Metadata:    `<meta property="og:type" content="article">` + "\n",
			Pagination:  &paginationData{2, 3, &articles[0], &articles[1]},
			Sections:    []sectionData{{"Pages", articles, 0}, {"Blog", articles, 7}},
			SearchIndex: "/search.json",
			Words:       900, Minutes: 4,
		},
	}
}

// minimal is a page of a site that has only what is required.
func minimal[T template.HTML | string](layout string) layoutData[T] {
	return layoutData[T]{
		Site: siteData{Title: "Parley", BaseURL: base, Language: "en"},
		Product: productData{
			Name: "Parley", URL: base, Description: "Sales coaching.", Contact: "hello@parley.example",
			Pricing: pricingData{Currency: "EUR", BillingPeriod: "monthly", CreditDefinition: "One call.", URL: base + "/pricing"},
		},
		Page: pageData[T]{Path: "/x", URL: base + "/x", MarkdownPath: "/x.md", Title: "Parley", Layout: layout},
	}
}
