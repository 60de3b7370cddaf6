package site

import (
	"encoding/json"
	"strings"
	"time"
)

// Product contains the facts in `content/product.yaml`.
type Product struct {
	Name           string          // the product's name
	URL            string          // the product's URL
	Description    string          // the product's description
	Audience       []string        // the product's audiences: the groups of people that it is for
	Capabilities   []string        // the product's capabilities: what it can do
	Pricing        Pricing         // the prices
	GettingStarted *GettingStarted // a customer's first steps
	// SchemaType is the product's type in the vocabulary of schema.org, or "" for Product. For software,
	// ApplicationCategory and OperatingSystem may also be set.
	SchemaType          string // the product's type in schema.org for search engines, or empty
	ApplicationCategory string // the category of a software product, or empty
	OperatingSystem     string // the operating system of a software product, or empty
	// Contact is the e-mail address for inquiries.
	Contact    string
	Updated    time.Time // the date of the last change, as stated in the facts; zero if not stated
	UpdatedPos Pos       // the position of Updated
	Links      []Link    // the named links, in the order written
	// JSON is the complete document as the JSON API publishes it, including your own keys. To show it, write
	// `{{printf "%s" .Product.JSON}}`.
	JSON []byte
	// Facts is the document in JSON as a tree, in which pages look up values. It is nil if product.yaml can't be read.
	Facts *Fact // everything in `product.yaml`, including your own keys
}

// Modified is the former name of `.Updated`, which still works.
func (p *Product) Modified() time.Time { return p.Updated }

// Pricing is the price list.
type Pricing struct {
	// Currency is the currency as an ISO 4217 code, such as `EUR`.
	Currency         string
	BillingPeriod    string // the period that a price covers, such as `month`
	CreditDefinition string // the definition of a credit, or empty
	UnlimitedReps    bool   // whether no plan charges per person or limits the number of people
	UnlimitedTeams   bool   // whether the number of teams is unlimited
	StatesReps       bool   // whether `product.yaml` contains `unlimitedReps`, with any value
	StatesTeams      bool   // whether `product.yaml` contains `unlimitedTeams`, with any value
	Plans            []Plan // the plans with a price
	// OnRequest are the plans without a published price.
	OnRequest []PlanOnRequest
	URL       string // the URL of the published price list
	// Columns is the number of columns that best fills the rows of plans: `one`, `two`, `three`, or `four`.
	Columns   string
	PlanNames []string // the names of all plans, with plans on request last
	// Comparison lists the features of all plans, each with the plans that include it. It is empty if no two plans
	// share a feature.
	Comparison []ComparedFeature
}

// Plan is a plan with a monthly price.
type Plan struct {
	Name string // the plan's name
	// MonthlyPrice is the monthly price as written, such as `49` or `49.50`. To format it, use the function `price`.
	MonthlyPrice    string
	IncludedCredits int64 // the number of credits per month
	StatesCredits   bool  // whether `product.yaml` contains `includedCredits`, with any value
	// YearlyPrice is the price per year as written, or empty.
	YearlyPrice string
	Note        string   // a line about the plan, or empty
	Features    []string // the plan's features
	Link        string   // the address at which to buy or request the plan, or empty
	// Highlight reports whether the plan is marked as the most popular plan.
	Highlight bool
}

// PlanOnRequest is a plan without a published price.
type PlanOnRequest struct {
	Name     string   // the plan's name
	Note     string   // a line about the plan, or empty
	Features []string // the plan's features
	Link     string   // the address for inquiries, or empty
}

// GettingStarted contains a customer's first steps. Each field can be empty.
type GettingStarted struct {
	Offer string   // the offer to new customers, such as a free trial
	Steps []string // the steps in order
	Demo  string   // the URL of a demonstration
}

// Link is a named link in `product.yaml`.
type Link struct {
	Key   string // the link's name in `product.yaml`; to show it, write `{{humanize .Key}}`
	URL   string // the link's target
	Title string // the link's name for readers. On pages in languages other than English, it is the title of the linked page, if the site contains that page
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
	MissingFact // a required value that is missing; the load reports it separately
)

// Fact is a value in `product.yaml` as written, including your own keys.
type Fact struct {
	Kind FactKind // the type of the value: 0 for null, 1 for a Boolean, 2 for a number, 3 for a string, 4 for a list, and 5 for a map
	// Text is the content of a string, `true` or `false` for a Boolean, and the digits of a number as written.
	Text string
	// Items are the items of a list, or the values of a map, in the order written.
	Items []*Fact
	// Keys are the keys of a map, in the order of `.Items`.
	Keys []string
}

// Member returns the value of a key in a map, or nil if the map doesn't have the key.
func (f *Fact) Member(key string) *Fact {
	for i, k := range f.Keys {
		if k == key {
			return f.Items[i]
		}
	}
	return nil
}

// Equal reports whether another fact has the same value. The order of items matters in lists, but not in maps.
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

// JSON returns the fact as the JSON API publishes it, on one line, or "" for nil.
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
