package site

import (
	"encoding/json"
	"strings"
	"time"
)

// Product holds the content of content/product.yaml: the ProductInformation of specification §2, and the only
// source of every public fact.
type Product struct {
	Name           string          // its name
	URL            string          // its home page
	Description    string          // its description
	Audience       []string        // its audience
	Capabilities   []string        // its capabilities
	Pricing        Pricing         // its prices
	GettingStarted *GettingStarted // a customer's first steps
	// SchemaType is the product's type in the vocabulary of schema.org, or "" for Product. Software
	// also has an ApplicationCategory and an OperatingSystem.
	SchemaType          string // its type for search engines, or empty
	ApplicationCategory string // for software, or empty
	OperatingSystem     string // for software, or empty
	// Contact is an e-mail address.
	Contact    string
	Updated    time.Time // the date of the last change, as stated in the facts; zero if not stated
	UpdatedPos Pos       // its position
	Links      []Link    // named links, in the order written
	// JSON is the complete document as published: every member, including
	// additive ones, in the order written, numbers in their written form,
	// two-space indentation, and a final newline: `{{printf "%s" .Product.JSON}}`.
	JSON []byte
	// Facts is the same document as a tree, in which pages look up values. It is nil if
	// product.yaml can't be read.
	Facts *Fact // everything in product.yaml, with your own members
}

// Modified is the older name of `.Updated`.
func (p *Product) Modified() time.Time { return p.Updated }

// Pricing is the published price list.
type Pricing struct {
	// Currency is an ISO 4217 code.
	Currency         string
	BillingPeriod    string // such as month
	CreditDefinition string // the definition of a credit, or empty
	UnlimitedReps    bool   // whether no plan charges per person or limits the number of people
	UnlimitedTeams   bool   // whether the number of teams is unlimited
	StatesReps       bool   // whether product.yaml contains unlimitedReps, with any value
	StatesTeams      bool   // whether product.yaml contains unlimitedTeams, with any value
	Plans            []Plan // plans with a price
	// OnRequest are plans without a price.
	OnRequest []PlanOnRequest
	URL       string // the published price list
	// Columns is the number of columns for the plans, so that rows are full: `one`, `two`, `three`, or `four`.
	Columns   string
	PlanNames []string // the names of all plans, with plans on request last
	// Comparison lists the features of all plans, each with the plans that have it; empty if no two plans share a feature.
	Comparison []ComparedFeature
}

// Plan is one published monthly plan.
type Plan struct {
	Name string // its name
	// MonthlyPrice is the number as the editor wrote it, a valid JSON number:
	// "49" stays "49" and "49.50" stays "49.50".
	MonthlyPrice    string
	IncludedCredits int64 // credits per month
	StatesCredits   bool  // whether product.yaml contains includedCredits, with any value
	// YearlyPrice is the yearly price, in the form of MonthlyPrice, or "" if there is none.
	YearlyPrice string
	Note        string   // a line about the plan, or empty
	Features    []string // its features
	Link        string   // the address to buy or request the plan, or empty
	// Highlight marks the plan as the most popular one.
	Highlight bool
}

// PlanOnRequest is a plan without a published price.
type PlanOnRequest struct {
	Name     string   // its name
	Note     string   // a line about it
	Features []string // its features
	Link     string   // the address for inquiries
}

// GettingStarted describes a customer's first steps. Each member may be empty.
type GettingStarted struct {
	Offer string   // the offer
	Steps []string // the steps in order
	Demo  string   // the URL of a demonstration
}

// Link is a named link.
type Link struct {
	Key   string // its name in product.yaml: `{{humanize .Key}}`
	URL   string // its target
	Title string // its name for readers; on pages in languages other than English, the title of the linked page if it is on the site
}

// FactKind is the type of a Fact.
type FactKind uint8

// The kinds of facts.
const (
	NoFact FactKind = iota // null
	TruthFact
	NumberFact
	TextFact
	ListFact
	MapFact
	MissingFact // required, but missing, which is a separate error
)

// Fact is a value of product.yaml as written, including a company's own members.
type Fact struct {
	Kind FactKind // 0 null, 1 a Boolean, 2 a number, 3 a string, 4 a list, 5 a map
	// Text is the content of a string, "true" or "false" for a Boolean, and for a
	// number its JSON form, which keeps the digits that the editor wrote.
	Text string
	// Items are the items of a list, or the values of a map, in the order written.
	Items []*Fact
	// Keys are the names of a map's Items.
	Keys []string
}

// Member returns the value of a key, or nil if the map doesn't have it.
func (f *Fact) Member(key string) *Fact {
	for i, k := range f.Keys {
		if k == key {
			return f.Items[i]
		}
	}
	return nil
}

// Equal reports whether two facts are equal, comparing lists in order and maps in any order. nil means no fact.
func (f *Fact) Equal(other *Fact) bool {
	if f == nil || other == nil {
		return f == other
	}
	if f.Kind != other.Kind || f.Text != other.Text || len(f.Items) != len(other.Items) {
		return false
	}
	for i, item := range f.Items {
		same := other.Items[i]
		if f.Kind == MapFact {
			same = other.Member(f.Keys[i])
		}
		if !item.Equal(same) {
			return false
		}
	}
	return true
}

// JSON returns a fact as in the JSON API, on one line, or "" for nil.
func (f *Fact) JSON() string {
	if f == nil {
		return ""
	}
	var out strings.Builder
	f.writeJSON(&out)
	return out.String()
}

func (f *Fact) writeJSON(out *strings.Builder) {
	switch f.Kind {
	case NoFact:
		out.WriteString("null")
	case TruthFact, NumberFact:
		out.WriteString(f.Text)
	case TextFact:
		writeJSONText(out, f.Text)
	case ListFact, MapFact:
		marks := "[]"
		if f.Kind == MapFact {
			marks = "{}"
		}
		out.WriteByte(marks[0])
		for i, item := range f.Items {
			if i > 0 {
				out.WriteByte(',')
			}
			if f.Kind == MapFact {
				writeJSONText(out, f.Keys[i])
				out.WriteByte(':')
			}
			item.writeJSON(out)
		}
		out.WriteByte(marks[1])
	}
}

func writeJSONText(out *strings.Builder, text string) {
	var line strings.Builder
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	// Encoding a string never fails.
	_ = encoder.Encode(text)
	out.WriteString(strings.TrimSuffix(line.String(), "\n"))
}
