package words_test

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"vitrine/internal/words"
	"vitrine/templates"
)

// The theme's word lists are complete: each has every key, with the placeholders of the English text and the forms of
// its language, and no other keys.
func TestListsAreComplete(t *testing.T) {
	read := func(tag string) words.File {
		text, err := fs.ReadFile(templates.FS, "words/"+tag+".yaml")
		if err != nil {
			t.Fatal(err)
		}
		return words.File{Name: "templates/words/" + tag + ".yaml", Language: tag, Text: text}
	}
	names, err := fs.Glob(templates.FS, "words/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for _, name := range names {
		tag := strings.TrimSuffix(path.Base(name), ".yaml")
		tags = append(tags, tag)
		// HTML wants text composed: in Arabic the marks of a letter have an order that no keyboard knows.
		if !norm.NFC.IsNormal(read(tag).Text) {
			t.Errorf("%s is not in Unicode's normalization form C", name)
		}
		if tag == "en" {
			continue
		}
		list, problems := words.New(words.Sources{Files: []words.File{read("en"), read(tag)}, Language: tag})
		for _, p := range problems {
			t.Error(p)
		}
		if missing := list.Missing(1); len(missing) > 0 {
			t.Errorf("%s lacks %s", tag, strings.Join(missing, ", "))
		}
	}
	if got := strings.Join(tags, " "); got != "ar de en es fr he it ja ko nl pl pt zh" {
		t.Errorf("there are %s", got)
	}
}
