package locale

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
)

// packed is the part of CLDR that this package needs and that golang.org/x/text doesn't have in a compact form. go
// generate writes it from github.com/bep/golocales and golang.org/x/text/language/display. The program doesn't link
// these packages, because their tables take 6 MB. LICENSE in this folder is the license of golocales. Each line has a
// kind and fields, separated by tabs. The kinds:
//
//	dates     a language in golocales' format, the Place of currency symbols, and the format of a date in each month
//	self      a language and its name in the language itself
//	english   a language and its name in English, or "" if it derives from the name of its parent
//	script    a script and its name in English
//	region    a region and its name in English
//
//go:generate go test -count=1 -run ^TestTables$ . -update
//go:embed tables.txt.gz
var packed string

// tables returns the unpacked lines, after a newline. Most runs don't format dates or prices, so the first use unpacks
// the lines.
var tables = sync.OnceValue(func() string {
	r, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		panic(fmt.Errorf("opening the language tables: %w", err)) // TestTables reads them
	}
	body, err := io.ReadAll(r)
	if err != nil {
		panic(fmt.Errorf("unpacking the language tables: %w", err))
	}
	return "\n" + string(body)
})

// find returns the fields after key in the line that starts with kind and key. A run looks up few lines, so find scans
// the text instead of a map of its 2,400 lines.
func find(kind, key string) (fields string, ok bool) {
	_, rest, ok := strings.Cut(tables(), "\n"+kind+"\t"+key+"\t")
	fields, _, _ = strings.Cut(rest, "\n")
	return fields, ok
}

// table contains the formats of dates and prices in a language.
type table struct {
	place Place
	// dates contains a date format for each month, with {y} or {yy} for the year and {d} or {dd} for the day. It is nil
	// if CLDR doesn't have the language's names of months.
	dates []string
}

// newTable returns the table for exactly the language with the given tag, not for a related language. It returns nil if
// there is no such table.
func newTable(tag string) *table {
	line, ok := find("dates", strings.ToLower(strings.ReplaceAll(tag, "-", "_")))
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
