// Package words manages the words of a theme: the labels, headings, and hints that it shows in addition to the site's
// content. Each string has a key. Every key that the theme uses has a string, and a site can override each string. An
// overriding string must have the same placeholders as the string that it overrides. A string with plural forms must
// have all forms that its language needs.
package words

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine/internal/load/suggest"
	"vitrine/internal/locale"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Words contains the words of one site in one language.
type Words struct {
	texts map[string]text
	// own is the set of keys that the site's settings override.
	own map[string]bool
	// english contains the strings of the first file, which are in English.
	english map[string]text
}

// text is the string for a key, or the string's plural forms.
type text struct {
	// flat is the string if it has no plural forms. It is unused if forms isn't nil.
	flat string
	// forms maps the names of plural forms to strings. It is nil if the string has no plural forms.
	forms map[string]string
	// places contains the sorted placeholders of the string, such as "{date}".
	places []string
	// locale is the locale of the string's language. An untranslated string is in another language than the site.
	locale *locale.Locale
	// file is the index of the string's source: the index of a word file, or the number of word files for the settings.
	file int
}

// File is a word file: a YAML map from keys to strings.
type File struct {
	// Name is the file's name, relative to the site's root.
	Name string
	// Language is the BCP 47 tag of the file's language.
	Language string
	Text     []byte
}

// Sources contains the word files and settings that define a site's words.
type Sources struct {
	// Files contains the word files. Each file overrides the strings of the files before it. The first file is in
	// English and contains every key of the theme.
	Files []File
	// Own contains the words in the settings, in the site's language.
	Own []site.Word
	// Language is the BCP 47 tag of the site's language.
	Language string
	// Asked is the set of keys that the site's templates use. Every file may define these keys, even if the first file
	// doesn't.
	Asked map[string]bool
}

// New returns the words of a site. It returns problems for keys that are neither in the first file nor used by a
// template of the site, for strings whose placeholders differ from the placeholders of the overridden string, and for
// missing or unknown plural forms.
func New(from Sources) (*Words, []site.Problem) {
	w := &Words{texts: make(map[string]text), own: make(map[string]bool)}
	var problems []site.Problem
	for i, f := range from.Files {
		list, more := read(f)
		problems = append(append(problems, more...), w.say(f.Name, i, locale.New(f.Language), list, from.Asked)...)
		if i == 0 {
			w.english = maps.Clone(w.texts)
		}
	}
	problems = append(problems, w.say("content/site.yaml", len(from.Files), locale.New(from.Language), from.Own, from.Asked)...)
	for _, word := range from.Own {
		w.own[word.Key] = true
	}
	return w, problems
}

// say sets the strings in list. They come from the source called name, whose index is file and whose locale is l. say
// returns problems for unknown keys, wrong placeholders, and missing or unknown plural forms. Only the first source may
// define new keys, except for keys in asked.
func (w *Words) say(name string, file int, l *locale.Locale, list []site.Word, asked map[string]bool) (problems []site.Problem) {
	wrong := func(at site.Pos, code site.Code, format string, args ...any) {
		problems = append(problems, site.Problem{Path: name, Pos: at, Severity: site.Error, Code: code, Text: fmt.Sprintf(format, args...)})
	}
	for _, word := range list {
		original, known := w.texts[word.Key]
		if !known && file > 0 && !asked[word.Key] {
			wrong(word.Pos, rule.UnknownKey, "words: %v", w.unknown(word.Key))
			continue
		}
		said := newText(word, l, file)
		if known {
			if p := original.fits(said); p != "" {
				wrong(word.TextPos, rule.WrongValue, "words.%s: %s", word.Key, p)
				continue
			}
			said.places = original.places
		}
		if p := said.whole(); p != "" {
			wrong(word.TextPos, rule.WrongValue, "words.%s: %s", word.Key, p)
			continue
		}
		w.texts[word.Key] = said
	}
	return problems
}

func newText(word site.Word, l *locale.Locale, file int) text {
	t := text{flat: word.Text, locale: l, file: file}
	for _, f := range word.Forms {
		if t.forms == nil {
			t.forms = make(map[string]string)
		}
		t.forms[f.Key] = f.Text
		t.places = append(t.places, placeholders(f.Text)...)
	}
	t.places = append(t.places, placeholders(word.Text)...)
	slices.Sort(t.places)
	t.places = slices.Compact(t.places)
	return t
}

// count is the placeholder whose value selects the plural form of a string.
const count = "{count}"

// fits returns a message that explains why other can't override t, or "" if other can.
func (t *text) fits(other text) string {
	if other.forms != nil && !slices.Contains(t.places, count) {
		return fmt.Sprintf("this entry has no {count}, so it cannot have plural forms; write a single string, such as %q", t.sample())
	}
	wrong := func(said string) string {
		return fmt.Sprintf("want a string with the placeholders %s, such as %q; found %q", strings.Join(t.places, ", "), t.sample(), said)
	}
	if other.forms == nil && !slices.Equal(t.places, other.places) {
		return wrong(other.flat)
	}
	for _, form := range other.sorted() {
		// A plural form may omit {count}, because authors may write a number as a word, such as "one".
		places := placeholders(other.forms[form])
		if !slices.Equal(t.places, places) && !slices.Equal(t.places, withCount(places)) {
			return wrong(other.forms[form])
		}
	}
	return ""
}

func withCount(places []string) []string {
	places = append(slices.Clip(places), count)
	slices.Sort(places)
	return slices.Compact(places)
}

// whole returns a message about an unknown plural form or about the missing plural forms of t. It returns "" if all
// plural forms are valid, or if t has none.
func (t *text) whole() string {
	if t.forms == nil {
		return ""
	}
	needed := t.locale.Plurals()
	var lacks []string
	for _, form := range needed {
		if t.forms[form] == "" {
			lacks = append(lacks, form)
		}
	}
	for _, form := range t.sorted() {
		if !locale.IsPlural(form) {
			return fmt.Sprintf("unknown plural form %q; %s has the forms %s", form, t.locale.EnglishName(), strings.Join(needed, ", "))
		}
	}
	if lacks == nil {
		return ""
	}
	return fmt.Sprintf("%s has the plural forms %s; write %s too", t.locale.EnglishName(), strings.Join(needed, ", "), strings.Join(lacks, ", "))
}

// sorted returns the names of t's plural forms in alphabetical order.
func (t *text) sorted() (names []string) {
	for name := range t.forms {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// sample returns a string of t to show in messages: the plural form "other", or the only string if t has no plural
// forms.
func (t *text) sample() string {
	if t.forms != nil {
		return t.form("other")
	}
	return t.flat
}

// form returns the string for the plural form called name. If that form is missing, it returns the first existing form
// of "other", "many", and the other forms in alphabetical order. If t has no plural forms, it returns the only string.
func (t *text) form(name string) string {
	if t.forms == nil {
		return t.flat
	}
	for _, name := range []string{name, "other", "many"} {
		if said := t.forms[name]; said != "" {
			return said
		}
	}
	return t.forms[t.sorted()[0]]
}

// placeholders returns the sorted placeholders of a string, such as "{date}", without duplicates.
func placeholders(text string) []string {
	var found []string
	for {
		_, rest, opens := strings.Cut(text, "{")
		name, after, closes := strings.Cut(rest, "}")
		if !opens || !closes {
			break
		}
		text = rest
		if name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" {
			found, text = append(found, "{"+name+"}"), after
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Text returns the string for key with its placeholders replaced. values alternates the names of placeholders and their
// values, such as "date", "1 May". Text formats an integer in the string's language, and the value of "count" selects
// the plural form. It returns an error if the key doesn't exist or if values doesn't match the placeholders.
func (w *Words) Text(key string, values ...any) (string, error) {
	t, known := w.texts[key]
	if !known {
		return "", w.unknown(key)
	}
	if len(values) == 0 && len(t.places) == 0 {
		return t.flat, nil
	}
	if len(values)%2 != 0 {
		return "", fmt.Errorf("the word %q requires pairs of a placeholder's name and a value, such as \"count\" 3", key)
	}
	form := "other"
	var pairs, names []string
	for i := 0; i < len(values); i += 2 {
		name := fmt.Sprintf("{%v}", values[i])
		value := fmt.Sprint(values[i+1])
		if n, whole := wholeNumber(values[i+1]); whole {
			value = t.locale.Number(n)
			if name == count {
				form = t.locale.Plural(n)
			}
		}
		names = append(names, name)
		pairs = append(pairs, name, value)
	}
	if slices.Sort(names); !slices.Equal(names, t.places) {
		return "", fmt.Errorf("the word %q (%q) requires exactly one value for each placeholder", key, t.sample())
	}
	return fill(t.form(form), pairs), nil
}

// fill replaces the placeholders in text. pairs alternates placeholders, such as "{date}", and their values. fill
// doesn't replace placeholders within values. It doesn't use a strings.Replacer, because creating one takes longer than
// replacing so few placeholders.
func fill(text string, pairs []string) string {
	var out strings.Builder
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:open])
		text = text[open:]
		i := 0
		for i < len(pairs) && !strings.HasPrefix(text, pairs[i]) {
			i += 2
		}
		if i == len(pairs) {
			out.WriteByte('{')
			text = text[1:]
			continue
		}
		out.WriteString(pairs[i+1])
		text = text[len(pairs[i]):]
	}
}

// English returns the English string for key, for output that is always in English. The string must not contain
// placeholders, because English doesn't replace them. It returns an error if the key doesn't exist.
func (w *Words) English(key string) (string, error) {
	t, known := w.english[key]
	if !known {
		return "", w.unknown(key)
	}
	return t.sample(), nil
}

func wholeNumber(value any) (int64, bool) {
	switch value := value.(type) {
	case int:
		return int64(value), true
	case int64:
		return value, true
	}
	return 0, false
}

// Forms returns a JSON object with the plural forms of the string for key, from which a script selects the form for a
// count. The strings still contain their placeholders. A string without plural forms is in the form "other".
func (w *Words) Forms(key string) (string, error) {
	t, known := w.texts[key]
	if !known {
		return "", w.unknown(key)
	}
	forms := t.forms
	if forms == nil {
		forms = map[string]string{"other": t.flat}
	}
	// encoding/json sorts the keys.
	body, err := json.Marshal(forms)
	return string(body), err
}

// Own reports whether the site's settings override the string for key.
func (w *Words) Own(key string) bool { return w.own[key] }

// Missing returns the sorted keys of strings from files with an index less than from. Strings from the settings have
// the highest index.
func (w *Words) Missing(from int) (keys []string) {
	for key, t := range w.texts {
		if t.file < from {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// Len returns the number of keys.
func (w *Words) Len() int { return len(w.texts) }

// unknown returns the error for a key that doesn't exist. The error suggests the most similar existing key, if there is
// one.
func (w *Words) unknown(key string) error {
	keys := make([]string, 0, len(w.texts))
	for k := range w.texts {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	if near := suggest.Nearest(key, keys); near != "" {
		return fmt.Errorf("the theme has no word %q; did you mean %q?", key, near)
	}
	return fmt.Errorf("the theme has no word %q; the words are in templates/words/en.yaml", key)
}
