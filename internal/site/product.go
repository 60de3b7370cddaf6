package site

import (
	"encoding/json"
	"strings"
	"time"
)

// Product has what content/product.yaml says: the ProductInformation of the
// specification's §2, and the one source of every public fact.
type Product struct {
	Name           string          // its name
	URL            string          // its home page
	Description    string          // what it is
	Audience       []string        // for whom it is
	Capabilities   []string        // what it does
	Pricing        Pricing         // what it costs
	GettingStarted *GettingStarted // how one begins
	// SchemaType is the product's type in the vocabulary of schema.org, "" for
	// Product; software has an ApplicationCategory and an OperatingSystem too.
	SchemaType          string // its type for search engines, or empty
	ApplicationCategory string // of software, or empty
	OperatingSystem     string // of software, or empty
	// Contact is an e-mail address.
	Contact    string
	Updated    time.Time // when the facts were changed last, as they say themselves; zero where they do not
	UpdatedPos Pos       // where that is written
	Links      []Link    // named links, in the order written
	// JSON is the whole document as it goes out: every member, the additive
	// ones included, in the order written, numbers in their written form,
	// two-space indentation, a final newline: `{{printf "%s" .Product.JSON}}`.
	JSON []byte
	// Facts is the same document as a tree, by which pages name its values; nil
	// where product.yaml could not be read.
	Facts *Fact // everything in product.yaml, members of your own as well
}

// Modified is `.Updated`, by its older name.
func (p *Product) Modified() time.Time { return p.Updated }

// Pricing is the published price list.
type Pricing struct {
	// Currency is an ISO 4217 code.
	Currency         string
	BillingPeriod    string // such as month
	CreditDefinition string // what a credit is, or empty
	UnlimitedReps    bool   // people are not counted
	UnlimitedTeams   bool   // teams are not counted
	StatesReps       bool   // product.yaml has unlimitedReps, whatever it is
	StatesTeams      bool   // product.yaml has unlimitedTeams, whatever it is
	Plans            []Plan // plans with a price
	// OnRequest are plans without a price.
	OnRequest []PlanOnRequest
	URL       string // the published price list
	// Columns is in how many columns the plans stand, so that rows are full: `one`, `two`, `three`, or `four`.
	Columns   string
	PlanNames []string // the names of all plans, those on request last
	// Comparison is the features of all plans, each with the plans that have it; empty if no two plans share one.
	Comparison []ComparedFeature
}

// Plan is one published monthly plan.
type Plan struct {
	Name string // its name
	// MonthlyPrice is the number as the editor wrote it, a valid JSON number:
	// "49" stays "49" and "49.50" stays "49.50".
	MonthlyPrice    string
	IncludedCredits int64 // credits a month
	StatesCredits   bool  // product.yaml has includedCredits, whatever it is
	// YearlyPrice is the price of a year, written as MonthlyPrice; "" where there is none.
	YearlyPrice string
	Note        string   // a line about the plan, or empty
	Features    []string // what it has
	Link        string   // where one gets it, or empty
	// Highlight says that the plan is the one that most want.
	Highlight bool
}

// PlanOnRequest is a plan without a published price.
type PlanOnRequest struct {
	Name     string   // its name
	Note     string   // a line about it
	Features []string // what it has
	Link     string   // where one asks
}

// GettingStarted says how a customer begins; each member may be empty.
type GettingStarted struct {
	Offer string   // what one is offered
	Steps []string // what one does, in turn
	Demo  string   // the URL of a demonstration
}

// Link is a named link.
type Link struct {
	Key string // its name: `{{humanize .Key}}`
	URL string // where it leads
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
	MissingFact // required, but not there, which is an error of its own
)

// Fact is a value of product.yaml as it was written, members of a company's own included.
type Fact struct {
	Kind FactKind // 0 nothing, 1 true or false, 2 a number, 3 a text, 4 a list, 5 a map
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

// Equal reports whether two facts are the same, in the order of lists and in any order of maps; nil is none.
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

// JSON is a fact as the operation has it, on one line; "" for none.
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
	// A text can always be written.
	_ = encoder.Encode(text)
	out.WriteString(strings.TrimSuffix(line.String(), "\n"))
}
