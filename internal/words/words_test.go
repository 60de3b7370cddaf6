package words

import (
	"strings"
	"testing"

	"vitrine/internal/site"
)

const english = "contents: On this page\nupdated: Updated {date}\nunlimitedReps: Unlimited reps\n"

// A later file and the site's own settings win over the original, key by key.
func TestLaterWordsWin(t *testing.T) {
	w, problems := New(File{"templates/words/en.yaml", []byte(english)},
		[]File{{"templates/words/de.yaml", []byte("contents: Auf dieser Seite\nupdated: Geändert am {date}\n")}},
		[]site.Word{{Key: "contents", Text: "Hier"}})
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

// What is wrong with words is reported where it stands.
func TestProblemsOfWords(t *testing.T) {
	for name, test := range map[string]struct{ file, want string }{
		"unknown key":     {"content: Hier\n", `templates/words/de.yaml:1:1: error: words: the theme has no words for "content"; did you mean "contents"?`},
		"lost place":      {"updated: Neu\n", `templates/words/de.yaml:1:10: error: words.updated: want a text with the places {date}`},
		"no text":         {"contents: 3\n", `templates/words/de.yaml:1:11: error: contents: want a text, found the number 3`},
		"no map":          {"- a\n", `templates/words/de.yaml:1:1: error: want a map of keys and texts`},
		"no YAML":         {"a: [\n", `templates/words/de.yaml:`},
		"a foreign place": {"contents: Hier {date}\n", `templates/words/de.yaml:1:11: error: words.contents: want a text with the places`},
	} {
		_, problems := New(File{"templates/words/en.yaml", []byte(english)}, []File{{"templates/words/de.yaml", []byte(test.file)}}, nil)
		if len(problems) != 1 || !strings.HasPrefix(problems[0].String(), test.want) {
			t.Errorf("%s: %v; want %s", name, problems, test.want)
		}
	}
}

// A template that asks for words in a wrong way is told so.
func TestTextFails(t *testing.T) {
	w, _ := New(File{"templates/words/en.yaml", []byte(english)}, nil, nil)
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
