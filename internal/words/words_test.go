package words

import (
	"cmp"
	"strings"
	"testing"

	"vitrine/internal/site"
)

const english = "contents: On this page\nupdated: Updated {date}\nunlimitedReps: Unlimited reps\nminutes: {one: 1 minute, other: '{count} minutes'}\nmore: '{count} more of {all}'\n"

// A later file and the site's settings override the words of earlier files, key by key.
func TestLaterFileOverridesWords(t *testing.T) {
	w, problems := New(Sources{Files: []File{
		{"templates/words/en.yaml", "en", []byte(english)},
		{"templates/words/de.yaml", "de", []byte("contents: Auf dieser Seite\nupdated: Geändert am {date}\n")},
	}, Own: []site.Word{{Key: "contents", Text: "Hier"}}, Language: "de"})
	if problems != nil {
		t.Fatal(problems)
	}
	for key, want := range map[string]string{"contents": "Hier", "unlimitedReps": "Unlimited reps"} {
		if got, err := w.Text(key); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", key, got, err, want)
		}
	}
	if got, err := w.Text("updated", "date", "1. Mai"); got != "Geändert am 1. Mai" || err != nil {
		t.Errorf("updated: %q, %v", got, err)
	}
	if !w.Own("contents") || w.Own("updated") {
		t.Error("only what site.yaml says is the site's own")
	}
}

// Problems in word files are reported at their positions.
func TestProblemsOfWords(t *testing.T) {
	for name, test := range map[string]struct{ file, want, tag string }{
		"unknown key":     {"content: Hier\n", `templates/words/de.yaml:1:1: error: words: the theme has no word "content"; did you mean "contents"?`, ""},
		"lost place":      {"updated: Neu\n", `templates/words/de.yaml:1:10: error: words.updated: want a string with the placeholders {date}`, ""},
		"no text":         {"contents: 3\n", `templates/words/de.yaml:1:11: error: contents: want a string, found the number 3`, ""},
		"no map":          {"- a\n", `templates/words/de.yaml:1:1: error: want a map of keys and strings`, ""},
		"no YAML":         {"a: [\n", `templates/words/de.yaml:`, ""},
		"a foreign place": {"contents: Hier {date}\n", `templates/words/de.yaml:1:11: error: words.contents: want a string with the placeholders`, ""},
		"a form lacks": {"minutes: {one: minuta, few: '{count} minuty'}\n",
			`templates/words/pl.yaml:1:10: error: words.minutes: Polish has the plural forms one, few, many; write many too`, "pl"},
		"forms of Arabic": {"minutes: {one: a, two: b, other: '{count} c'}\n",
			`templates/words/ar.yaml:1:10: error: words.minutes: Arabic has the plural forms zero, one, two, few, many, other; write zero, few, many too`, "ar"},
		"no form": {"minutes: {one: eine, others: '{count} Minuten', other: '{count} Minuten'}\n",
			`templates/words/de.yaml:1:10: error: words.minutes: unknown plural form "others"; German has the forms one, other`, ""},
		"no count": {"contents: {one: Hier, other: Hier}\n",
			`templates/words/de.yaml:1:11: error: words.contents: this entry has no {count}, so it cannot have plural forms`, ""},
		"a place lacks": {"more: {one: einer, other: '{count} von {all}'}\n",
			`templates/words/de.yaml:1:7: error: words.more: want a string with the placeholders {all}, {count}`, ""},
	} {
		tag := cmp.Or(test.tag, "de")
		_, problems := New(Sources{Files: []File{{"templates/words/en.yaml", "en", []byte(english)}, {"templates/words/" + tag + ".yaml", tag, []byte(test.file)}}})
		if len(problems) != 1 || !strings.HasPrefix(problems[0].String(), test.want) {
			t.Errorf("%s: %v; want %s", name, problems, test.want)
		}
	}
}

// Text returns an error for values that don't match the placeholders.
func TestTextFails(t *testing.T) {
	w, _ := New(Sources{Files: []File{{"templates/words/en.yaml", "en", []byte(english)}}})
	for name, values := range map[string][]any{
		"no value": nil, "wrong name": {"day", 1}, "odd": {"date"}, "more": {"date", 1, "day", 2},
	} {
		if text, err := w.Text("updated", values...); err == nil {
			t.Errorf("%s: %q", name, text)
		}
	}
	if _, err := w.Text("update"); err == nil || !strings.Contains(err.Error(), `"updated"`) {
		t.Error(err)
	}
}

// A count selects a plural form and is formatted for the language. Fallback words keep their language's forms.
func TestForms(t *testing.T) {
	files := []File{
		{"templates/words/en.yaml", "en", []byte(english)},
		{"templates/words/pl.yaml", "pl", []byte("minutes: {one: minuta, few: '{count} minuty', many: '{count} minut'}\n")},
	}
	polish, problems := New(Sources{Files: files, Language: "pl"})
	arabic, more := New(Sources{Files: files[:1], Language: "ar", Own: []site.Word{{Key: "more", Forms: []site.Word{
		{Key: "zero", Text: "0 {all}"}, {Key: "one", Text: "1 {all}"}, {Key: "two", Text: "2 {all}"},
		{Key: "few", Text: "few {count} {all}"}, {Key: "many", Text: "many {count} {all}"}, {Key: "other", Text: "other {count} {all}"},
	}}}})
	if problems != nil || more != nil {
		t.Fatal(problems, more)
	}
	for _, c := range []struct {
		words *Words
		key   string
		count any
		want  string
	}{
		{polish, "minutes", 1, "minuta"}, {polish, "minutes", 3, "3 minuty"}, {polish, "minutes", int64(12345), "12\u00a0345 minut"},
		{polish, "minutes", "viele", "viele minut"},
		{polish, "more", 22, "22 more of x"},
		{arabic, "minutes", 2, "2 minutes"}, {arabic, "minutes", 1, "1 minute"},
		{arabic, "more", 0, "0 x"}, {arabic, "more", 2, "2 x"}, {arabic, "more", 5, "few 5 x"}, {arabic, "more", 99, "many 99 x"}, {arabic, "more", 1000, "other 1,000 x"},
	} {
		values := []any{"count", c.count}
		if c.key == "more" {
			values = append(values, "all", "x")
		}
		if got, err := c.words.Text(c.key, values...); err != nil || got != c.want {
			t.Errorf("%s of %v: %q, %v; want %q", c.key, c.count, got, err, c.want)
		}
	}
	if got, err := polish.Forms("minutes"); err != nil || got != `{"few":"{count} minuty","many":"{count} minut","one":"minuta"}` {
		t.Errorf("%s, %v", got, err)
	}
	if got := strings.Join(polish.Missing(1), " "); got != "contents more unlimitedReps updated" {
		t.Errorf("missing are %s", got)
	}
}

// A file may define a custom key only if one of the site's templates uses it.
func TestCustomWords(t *testing.T) {
	w, problems := New(Sources{Files: []File{
		{"templates/words/en.yaml", "en", []byte(english)}, {"templates/words/en.yaml", "en", []byte("ours: Ours {name}\ntheirs: Theirs\n")},
		{"templates/words/de.yaml", "de", []byte("ours: Unser {name}\n")},
	}, Asked: map[string]bool{"ours": true}, Language: "de"})
	if len(problems) != 1 || !strings.Contains(problems[0].String(), `en.yaml:2:1: error: words: the theme has no word "theirs"`) {
		t.Error(problems)
	}
	if got, err := w.Text("ours", "name", "x"); got != "Unser x" || err != nil {
		t.Error(got, err)
	}
}
