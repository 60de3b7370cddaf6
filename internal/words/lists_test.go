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

// read returns a language's word list.
func read(t *testing.T, tag string) words.File {
	t.Helper()
	text, err := fs.ReadFile(templates.FS, "words/"+tag+".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return words.File{Name: "templates/words/" + tag + ".yaml", Language: tag, Text: text}
}

// tags returns the tags of the languages with a word list.
func tags(t *testing.T) (all []string) {
	t.Helper()
	names, err := fs.Glob(templates.FS, "words/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		all = append(all, strings.TrimSuffix(path.Base(name), ".yaml"))
	}
	return all
}

// The theme's word lists are complete: each has every key, with the placeholders of the English text and the forms of
// its language, and no other keys.
func TestListsAreComplete(t *testing.T) {
	all := tags(t)
	for _, tag := range all {
		// HTML text should be in NFC. In Arabic, the order of a letter's marks in NFC isn't the order in which people
		// type.
		if !norm.NFC.IsNormal(read(t, tag).Text) {
			t.Errorf("%s is not in Unicode's normalization form C", tag)
		}
		if tag == "en" {
			continue
		}
		list, problems := words.New(words.Sources{Files: []words.File{read(t, "en"), read(t, tag)}, Language: tag})
		for _, p := range problems {
			t.Error(p)
		}
		if missing := list.Missing(1); len(missing) > 0 {
			t.Errorf("%s lacks %s", tag, strings.Join(missing, ", "))
		}
	}
	if got := strings.Join(all, " "); got != "ar de en es fr he it ja ko nl pl pt zh" {
		t.Errorf("there are %s", got)
	}
}

// All words about versions of the documentation are translated. "Version" may stay the same in German and French,
// because it is a word of these languages too.
func TestVersionWordsAreTranslated(t *testing.T) {
	english := read(t, "en")
	for _, tag := range tags(t) {
		if tag == "en" {
			continue
		}
		own := read(t, tag)
		for _, key := range []string{"version", "versionCurrent", "versionUnmaintained", "oldVersion", "oldVersionUnmaintained", "oldVersionSame", "oldVersionNearest", "allVersions", "llmsVersionAbout"} {
			was, is := line(english, key), line(own, key)
			if is == "" || is == was && !(key == "version" && (tag == "de" || tag == "fr")) {
				t.Errorf("%s in %s: %q is English", key, tag, is)
			}
		}
	}
}

// line returns the line for the given key in a word list.
func line(list words.File, key string) string {
	for text := range strings.Lines(string(list.Text)) {
		if strings.HasPrefix(text, key+":") {
			return text
		}
	}
	return ""
}
