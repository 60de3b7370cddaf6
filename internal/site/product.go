package site

import "time"

// Product is content/product.yaml: the ProductInformation of the
// specification's §2, and the one source of every public fact.
type Product struct {
	Name           string
	URL            string
	Description    string
	Audience       []string
	Capabilities   []string
	Pricing        Pricing
	GettingStarted *GettingStarted
	// SchemaType is the product's type in the vocabulary of schema.org, "" for
	// Product; software has an ApplicationCategory and an OperatingSystem too.
	SchemaType, ApplicationCategory, OperatingSystem string
	// Contact is an e-mail address.
	Contact string
	// Links are in the order written.
	Links []Link
	// JSON is the whole document as it goes out: every member, the additive
	// ones included, in the order written, numbers in their written form,
	// two-space indentation, a final newline.
	JSON []byte
	// Facts is the same document as a tree, by which pages name its values; nil
	// where product.yaml could not be read.
	Facts *Fact
}

// Modified is when the facts say that they were changed last, in their member "updated"; zero where they do not.
func (p *Product) Modified() time.Time {
	if p.Facts == nil {
		return time.Time{}
	}
	said := p.Facts.Member("updated")
	if said == nil {
		return time.Time{}
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, said.Text); err == nil {
			return t
		}
	}
	return time.Time{}
}

// Pricing is the published price list.
type Pricing struct {
	// Currency is an ISO 4217 code.
	Currency         string
	BillingPeriod    string
	CreditDefinition string
	UnlimitedReps    bool
	UnlimitedTeams   bool
	Plans            []Plan
	// OnRequest are plans without a price.
	OnRequest []PlanOnRequest
	URL       string
}

// Plan is one published monthly plan.
type Plan struct {
	Name string
	// MonthlyPrice is the number as the editor wrote it, a valid JSON number:
	// "49" stays "49" and "49.50" stays "49.50".
	MonthlyPrice    string
	IncludedCredits int64
	// YearlyPrice is the price of a year, written as MonthlyPrice; "" where there is none.
	YearlyPrice string
	// Note is a line about the plan, Features are what it has, Link is where one gets it; each may be empty.
	Note     string
	Features []string
	Link     string
	// Highlight says that the plan is the one that most want.
	Highlight bool
}

// PlanOnRequest is a plan without a published price.
type PlanOnRequest struct {
	Name, Note string
	Features   []string
	Link       string
}

// GettingStarted says how a customer begins; each member may be empty.
type GettingStarted struct {
	Offer string
	Steps []string
	Demo  string
}

// Link is a named link.
type Link struct {
	Key, URL string
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
)

// Fact is a value of product.yaml as it was written, additive members included.
type Fact struct {
	Kind FactKind
	// Text is a text's content, "true" or "false" of a truth value, and of a
	// number its JSON form, which keeps the digits that the editor wrote.
	Text string
	// Items are those of a list, or the values of a map, in the order written.
	Items []*Fact
	// Keys are the names of a map's Items.
	Keys []string
}

// Member returns the value of a key, nil where a map has no such key.
func (f *Fact) Member(key string) *Fact {
	for i, k := range f.Keys {
		if k == key {
			return f.Items[i]
		}
	}
	return nil
}
