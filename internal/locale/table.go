package locale

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
)

// packed is the part of CLDR that this package needs and golang.org/x/text doesn't have in a small form. go generate writes
// it from github.com/bep/golocales and golang.org/x/text/language/display, which the program doesn't link: their tables take
// 6 MB. LICENSE is the license of golocales. Each line has a kind and fields, separated by tabs. The kinds:
//
//	dates     the language's tag in golocales' form, its Place, and the form of a date in each month
//	self      a language and its name in the language itself
//	english   a language and its name in English, or "" if it has none
//	script    a script and its name in English
//	region    a region and its name in English
//
//go:generate go test -count=1 -run ^TestTables$ . -update
//go:embed tables.txt.br
var packed string

// tables holds the unpacked tables by kind and first field. Most runs write no date and no price.
var tables = sync.OnceValue(func() map[string]map[string]string {
	body, err := io.ReadAll(brotli.NewReader(strings.NewReader(packed)))
	if err != nil {
		panic(fmt.Errorf("unpacking the language tables: %w", err)) // TestTables reads them
	}
	all := map[string]map[string]string{}
	for line := range strings.Lines(string(body)) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		key, value, _ := strings.Cut(rest, "\t")
		if all[kind] == nil {
			all[kind] = map[string]string{}
		}
		all[kind][key] = value
	}
	return all
})

// table has a language's formats of dates and prices.
type table struct {
	place Place
	// dates are the forms of dates in each month, with {y} or {yy} for the year and {d} or {dd} for the day. They are nil if
	// CLDR doesn't know the language's months.
	dates []string
}

// newTable returns the table of exactly this language, or nil if there is none.
func newTable(tag string) *table {
	line, ok := tables()["dates"][strings.ToLower(strings.ReplaceAll(tag, "-", "_"))]
	if !ok {
		return nil
	}
	place, dates, ok := strings.Cut(line, "\t")
	t := &table{place: Place(place)}
	if ok {
		t.dates = strings.Split(dates, "\t")
	}
	return t
}

func (t *table) date(at time.Time) string {
	return strings.NewReplacer(
		"{y}", strconv.Itoa(at.Year()), "{yy}", fmt.Sprintf("%02d", at.Year()%100),
		"{d}", strconv.Itoa(at.Day()), "{dd}", fmt.Sprintf("%02d", at.Day()),
	).Replace(t.dates[at.Month()-1])
}
