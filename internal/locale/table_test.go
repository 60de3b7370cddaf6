package locale

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bep/golocales"
	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// The embedded tables must match the modules that they come from. With -update, the test writes the tables.
func TestTables(t *testing.T) {
	want := generated(t)
	if update := flag.Lookup("update"); update != nil && update.Value.String() == "true" {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(want)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("tables.txt.gz", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for line := range strings.Lines(want) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if value, ok := find(fields[0], fields[1]); !ok || value != fields[2] {
			t.Errorf("%s %s: the embedded table has %q, the module %q; run go generate ./internal/locale", fields[0], fields[1], value, fields[2])
		}
	}
	if got, want := strings.Count(tables(), "\n")-1, strings.Count(want, "\n"); got != want {
		t.Errorf("the embedded table has %d lines, the modules %d; run go generate ./internal/locale", got, want)
	}
}

// Dates match the dates of golocales, in every language, from 1987 to 2042.
func TestTableDates(t *testing.T) {
	for _, name := range golocalesNames(t) {
		table, own := newTable(name), golocales.New(name)
		if table == nil || own == nil {
			t.Fatalf("%s: in golocales %t, in the table %t", name, own != nil, table != nil)
		}
		if table.dates == nil {
			continue
		}
		for day := time.Date(1987, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2043; day = day.AddDate(0, 0, 41) {
			if got, want := table.date(day), strings.Replace(own.FormatDateLong(day), " G ", " ", 1); got != want {
				t.Fatalf("%s: %s is %q; golocales writes %q", name, day.Format(time.DateOnly), got, want)
			}
		}
	}
}

// Names match the names of golang.org/x/text, for each language by itself, in other scripts, and in other regions.
func TestTableNames(t *testing.T) {
	english := display.English.Tags()
	tags := display.Values.Tags()
	for _, tag := range display.Values.Tags() {
		for _, suffix := range []string{"Latn", "Cyrl", "Arab", "Hant", "US", "CN", "419", "ZZ", "Zzzz", "Latn-BR", "Hant-HK", "Cyrl-RS"} {
			if other, err := language.Parse(tag.String() + "-" + suffix); err == nil {
				tags = append(tags, other)
			}
		}
	}
	if len(tags) < 5000 {
		t.Fatalf("only %d languages to compare", len(tags))
	}
	for _, tag := range tags {
		if got, want := englishName(tag), english.Name(tag); got != want {
			t.Errorf("%s: %q in English; x/text has %q", tag, got, want)
		}
		if got, want := selfName(tag), display.Self.Name(tag); got != want {
			t.Errorf("%s: %q in itself; x/text has %q", tag, got, want)
		}
	}
}

// generated returns the tables, generated from the modules.
func generated(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, name := range golocalesNames(t) {
		fmt.Fprintf(&b, "dates\t%s\t%s\n", name, strings.Join(append([]string{string(placeOf(golocales.New(name)))}, datesOf(t, name)...), "\t"))
	}
	for _, tag := range display.Self.Supported.Tags() {
		fmt.Fprintf(&b, "self\t%s\t%s\n", tag, display.Self.Name(tag))
	}
	for _, tag := range display.Values.Tags() {
		name := display.English.Tags().Name(tag)
		if strings.Contains(name, "(") {
			name = "" // the name of its parent
		}
		fmt.Fprintf(&b, "english\t%s\t%s\n", tag, name)
	}
	for _, script := range display.Values.Scripts() {
		fmt.Fprintf(&b, "script\t%s\t%s\n", script, display.English.Scripts().Name(script))
	}
	for _, region := range display.Values.Regions() {
		fmt.Fprintf(&b, "region\t%s\t%s\n", region, display.English.Regions().Name(region))
	}
	return b.String()
}

// golocalesNames returns all languages of golocales. The module doesn't list them, so golocalesNames reads its source.
func golocalesNames(t *testing.T) (names []string) {
	t.Helper()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/bep/golocales").Output()
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "golocales.autogen.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, entries, ok := bytes.Cut(source, []byte("var _locales = "))
	for _, m := range regexp.MustCompile(`\{"([a-z0-9_]+)"`).FindAllSubmatch(entries, -1) {
		names = append(names, string(m[1]))
	}
	if !ok || len(names) < 500 || !slices.Contains(names, "en_001") {
		t.Fatalf("found %d languages in golocales", len(names))
	}
	return names
}

// datesOf returns the date format of each month, or nil if the month names are only numbers.
func datesOf(t *testing.T, name string) (forms []string) {
	t.Helper()
	own := golocales.New(name)
	if may := own.MonthsWide()[4]; may == "" || may == "M05" {
		return nil
	}
	for month := range 12 {
		// No month's name contains these numbers.
		long := own.FormatDateLong(time.Date(2846, time.Month(month+1), 28, 0, 0, 0, 0, time.UTC))
		// The module doesn't support eras, which Thai dates have, and leaves their placeholder.
		form := strings.Replace(long, " G ", " ", 1)
		switch {
		case strings.Contains(form, "2846"):
			form = strings.Replace(form, "2846", "{y}", 1)
		case strings.Contains(form, "46"):
			form = strings.Replace(form, "46", "{yy}", 1)
		}
		day := "{d}"
		if padded := own.FormatDateLong(time.Date(2846, time.Month(month+1), 5, 0, 0, 0, 0, time.UTC)); strings.Contains(padded, "05") {
			day = "{dd}"
		}
		forms = append(forms, strings.Replace(form, "28", day, 1))
	}
	return forms
}

// placeOf determines the place of symbols from an amount in a currency that doesn't exist: a language has one place for
// all currencies.
func placeOf(own golocales.Translator) Place {
	const sign, amount = "@", "7"
	before, text, _ := strings.Cut(own.FormatCurrency(7, 0, sign), sign)
	switch {
	case strings.Contains(before, amount):
		return Behind
	case strings.HasPrefix(text, amount):
		return Close
	}
	return Apart
}
