package drift

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	values "vitrine/internal/facts"
	"vitrine/internal/markdown"
	"vitrine/internal/site"
)

// product returns the product that the labeled prose describes.
func product() site.Product {
	p := site.Product{Name: "Parley", Pricing: site.Pricing{Currency: "EUR", Plans: []site.Plan{
		{Name: "Starter", MonthlyPrice: "19", IncludedCredits: 40},
		{Name: "Team", MonthlyPrice: "49.50", IncludedCredits: 120},
		{Name: "Growth", MonthlyPrice: "149", IncludedCredits: 400},
		{Name: "Scale", MonthlyPrice: "390", IncludedCredits: 1200},
	}}}
	list := &site.Fact{Kind: site.ListFact}
	for _, plan := range p.Pricing.Plans {
		list.Items = append(list.Items, &site.Fact{Kind: site.MapFact, Keys: []string{"name", "monthlyPrice", "includedCredits"}, Items: []*site.Fact{
			{Kind: site.TextFact, Text: plan.Name}, {Kind: site.NumberFact, Text: plan.MonthlyPrice}, {Kind: site.NumberFact, Text: fmt.Sprint(plan.IncludedCredits)},
		}})
	}
	pricing := &site.Fact{Kind: site.MapFact, Keys: []string{"plans"}, Items: []*site.Fact{list}}
	p.Facts = &site.Fact{Kind: site.MapFact, Keys: []string{"name", "pricing"}, Items: []*site.Fact{{Kind: site.TextFact, Text: "Parley"}, pricing}}
	return p
}

// newCheck returns a function that runs the drift check on text.
func newCheck() func(source string) []site.Problem {
	facts := product()
	c := New(&facts)
	parser := markdown.New(markdown.Options{}).WithFacts(values.New("en", &facts))
	return func(source string) []site.Problem {
		return c.Page(&site.Page{Source: "content/x.md"}, parser.Parse("content/x.md", []byte(source), 0), nil)
	}
}

// labeled is a line of prose. wrong reports whether it contradicts the facts.
type labeled struct {
	text  string
	wrong bool
}

func readLabeled(t *testing.T, name string) []labeled {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []labeled
	for lines := bufio.NewScanner(f); lines.Scan(); {
		label, text, _ := strings.Cut(lines.Text(), " ")
		switch label {
		case "!", "=":
			out = append(out, labeled{strings.ReplaceAll(text, `\n`, "\n"), label == "!"})
		case "#":
		default:
			t.Fatalf("%s: %q has no label", name, lines.Text())
		}
	}
	return out
}

// TestDrift measures the drift check on labeled prose: the share of reports that are correct (precision), and the share
// of errors that are reported (recall). One set of prose was used to tune the patterns. The other is used only to
// measure.
func TestDrift(t *testing.T) {
	check := newCheck()
	for _, set := range []string{"tuned", "held"} {
		t.Run(set, func(t *testing.T) {
			var right, alarms, wrong int
			prose := readLabeled(t, "testdata/"+set+".txt")
			for _, l := range prose {
				problems := check(l.text)
				switch {
				case l.wrong && len(problems) > 0:
					right++
				case l.wrong:
					t.Logf("missed: %s", l.text)
				case len(problems) > 0:
					t.Logf("false alarm: %s\n\t%v", l.text, problems)
				}
				if l.wrong {
					wrong++
				}
				if len(problems) > 0 {
					alarms++
				}
			}
			precision, recall := float64(right)/float64(alarms), float64(right)/float64(wrong)
			t.Logf("%d texts, %d of them wrong: precision %.3f, recall %.3f", len(prose), wrong, precision, recall)
			if precision < 0.95 || recall < 0.8 {
				t.Error("want a precision of 0.95 and a recall of 0.8")
			}
		})
	}
}

// Amounts in dinars have three decimals, which look like a group of digits after a thousands separator.
func TestThreeDecimals(t *testing.T) {
	for _, code := range []string{"KWD", "BHD", "JOD", "OMR", "TND"} {
		for text, wrong := range map[string]bool{
			"Basic costs %s 18.500 a month.":     false,
			"Basic costs 18.500 %s a month.":     false,
			"Basic costs 18.5 %s a month.":       false,
			"Studio costs %s 1,299 a month.":     false,
			"Studio costs 1,299.000 %s a month.": false,
			"Basic costs %s 18.750 a month.":     true,
			"Basic costs %s 18,500 a month.":     true,
			"Studio costs 1.299 %s a month.":     true,
		} {
			product := site.Product{Name: "Acorn", Pricing: site.Pricing{Currency: code, Plans: []site.Plan{
				{Name: "Basic", MonthlyPrice: "18.500"}, {Name: "Studio", MonthlyPrice: "1299"},
			}}}
			text := fmt.Sprintf(text, code)
			doc := markdown.New(markdown.Options{}).Parse("content/x.md", []byte(text), 0)
			if problems := New(&product).Page(&site.Page{Source: "content/x.md"}, doc, nil); (len(problems) > 0) != wrong {
				t.Errorf("%s: %v", text, problems)
			}
		}
	}
}

// Contradictions are reported at their positions, even after facts and markup.
func TestDriftPlaces(t *testing.T) {
	check := newCheck()
	for _, c := range []struct{ source, want string }{
		{"ü {{ name }}: *Team* costs\n**€39** a month.\n", `content/x.md:2:3: warning: "€39" is not the price of Team, which is 49.50 a month in product.yaml; write {{ price "Team" }}, or {{ meant }} at the end of the line if it is correct [V033]`},
		{"&amp; Team includes 100 credits a month.\n", `content/x.md:1:21: warning: "100 credits" contradicts product.yaml, in which Team includes 120 credits a month; write {{ pricing.plans.Team.includedCredits }}, or {{ meant }} at the end of the line if it is correct [V034]`},
		{"The Teams plan includes 120 credits.\n", `content/x.md:1:5: warning: there is no plan "Teams" in product.yaml; write "Team", or {{ meant }} at the end of the line if it is correct [V035]`},
		{"| Plan | Price |\n|-|-|\n| Team | €39 |\n", `content/x.md:3:10: warning: "€39" is not the price of Team, which is 49.50 a month in product.yaml; write {{ price "Team" }}, or {{ meant }} at the end of the line if it is correct [V033]`},
	} {
		var got []string
		for _, p := range check(c.source) {
			got = append(got, p.String())
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%q\ngot\n%s\nwant\n%s", c.source, text, c.want)
		}
	}
}

// A product without plans causes no problems.
func TestNoPlans(t *testing.T) {
	doc := markdown.New(markdown.Options{}).Parse("x.md", []byte("Team costs €1 a month"), 0)
	if problems := New(&site.Product{}).Page(&site.Page{}, doc, nil); len(problems) > 0 {
		t.Error(problems)
	}
}

// The yearly price is a fact too: it is correct for its own plan and wrong for another plan.
func TestYearlyPrice(t *testing.T) {
	facts := product()
	facts.Pricing.Plans[0].YearlyPrice = "190"
	c := New(&facts)
	parser := markdown.New(markdown.Options{}).WithFacts(values.New("en", &facts))
	for text, want := range map[string]int{
		"Starter costs €190 when paid annually.": 0, "Starter costs €191 a month.": 1, "Team costs €190 a month.": 1,
	} {
		if found := c.Page(&site.Page{Source: "content/x.md"}, parser.Parse("content/x.md", []byte(text), 0), nil); len(found) != want {
			t.Errorf("%s: %v, want %d", text, found, want)
		}
	}
}

// A slip is one letter, even if the letter has several bytes.
func TestOneSlip(t *testing.T) {
	for words, want := range map[[2]string]bool{
		{"starter", "startr"}: true, {"starter", "statrer"}: true, {"starter", "startet"}: true, {"starter", "satrtr"}: false,
		{"größe", "große"}: true, {"größe", "grösse"}: false, {"größe", "größen"}: true, {"größe", "gröeß"}: true,
		{"pro", "pri"}: false, {"übe", "übr"}: false, {"スターター", "スタータ"}: true,
	} {
		if got := oneSlip(words[0], words[1]); got != want {
			t.Errorf("%q: got %t, want %t", words, got, want)
		}
	}
}
