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

// packed is the part of CLDR that this package needs and golang.org/x/text doesn't have in a compact form. go generate
// writes it from github.com/bep/golocales and golang.org/x/text/language/display. The program doesn't link these
// packages, because their tables take 6 MB. LICENSE is the license of golocales. Each line has a kind and fields,
// separated by tabs. The kinds:
//
//	dates     the language's tag in golocales' form, its Place, and the form of a date in each month
//	self      a language and its name in the language itself
//	english   a language and its name in English, or "" if it derives from the name of its parent
//	script    a script and its name in English
//	region    a region and its name in English
//
//go:generate go test -count=1 -run ^TestTables$ . -update
//go:embed tables.txt.br
var packed string

// tables returns the unpacked tables by kind and first field. It unpacks them on first use because most runs don't
// format dates or prices.
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

// table contains a language's date and price formats.
type table struct {
	place Place
	// dates contains a date format for each month, with {y} or {yy} for the year and {d} or {dd} for the day. It is nil
	// if CLDR doesn't have the language's month names.
	dates []string
}

// newTable returns a new table for the language tag, without falling back to a related language. It returns nil if
// there is none.
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
