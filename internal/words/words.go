// Package words holds the words that a theme shows beside the site's own text: labels,
// headings and hints, by their keys. It promises that a key that the theme asks for has
// a text, that a site can say each otherwise, and that a text holds exactly the
// placeholders that its original has.
package words

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Words are the words of one site.
type Words struct {
	texts map[string]string
	// own says which the site says itself.
	own map[string]bool
}

// File is a file of words: a map of keys and texts in YAML.
type File struct {
	// Name is relative to the site's root.
	Name string
	Text []byte
}

// New returns the words of the first file, of which every file after it and then the site's own settings say some
// otherwise. A key that the first file does not have is a problem, and so is a text with other placeholders.
func New(original File, others []File, own []site.Word) (*Words, []site.Problem) {
	w := &Words{texts: make(map[string]string), own: make(map[string]bool)}
	list, problems := read(original)
	for _, word := range list {
		w.texts[word.Key] = word.Text
	}
	for _, f := range others {
		list, more := read(f)
		problems = append(append(problems, more...), w.say(f.Name, list)...)
	}
	problems = append(problems, w.say("content/site.yaml", own)...)
	for _, word := range own {
		w.own[word.Key] = true
	}
	return w, problems
}

// say takes over texts for keys that there are.
func (w *Words) say(name string, list []site.Word) (problems []site.Problem) {
	wrong := func(at site.Pos, code site.Code, format string, args ...any) {
		problems = append(problems, site.Problem{Path: name, Pos: at, Severity: site.Error, Code: code, Text: fmt.Sprintf(format, args...)})
	}
	for _, word := range list {
		original, known := w.texts[word.Key]
		switch {
		case !known:
			wrong(word.Pos, rule.UnknownKey, "words: %v", w.unknown(word.Key))
		case !slices.Equal(placeholders(original), placeholders(word.Text)):
			wrong(word.TextPos, rule.WrongValue, "words.%s: want a text with the places %s, as %q has them, found %q",
				word.Key, strings.Join(placeholders(original), ", "), original, word.Text)
		default:
			w.texts[word.Key] = word.Text
		}
	}
	return problems
}

// read reads a file of words.
func read(f File) (list []site.Word, problems []site.Problem) {
	wrong := func(at site.Pos, code site.Code, text string) {
		problems = append(problems, site.Problem{Path: f.Name, Pos: at, Severity: site.Error, Code: code, Text: text})
	}
	root, faults := tree.YAML(f.Text, 1)
	for _, fault := range faults {
		wrong(fault.Pos, rule.Syntax, fault.Text)
	}
	switch {
	case root == nil || root.Kind == tree.Null:
		return nil, problems
	case root.Kind != tree.Map:
		wrong(root.Pos, rule.WrongValue, "want a map of keys and texts such as \"contents: On this page\", found "+root.Describe())
		return nil, problems
	}
	for _, m := range root.Members {
		if m.Value.Kind != tree.Text || strings.TrimSpace(m.Value.Text) == "" {
			wrong(m.Value.Pos, rule.WrongValue, m.Key+": want a text, found "+m.Value.Describe())
			continue
		}
		list = append(list, site.Word{Key: m.Key, Pos: m.Pos, Text: strings.Join(strings.Fields(m.Value.Text), " "), TextPos: m.Value.Pos})
	}
	return list, problems
}

// placeholder is a place in a text where a value is set in: "{date}".
var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

// placeholders are those of a text, sorted, each once.
func placeholders(text string) []string {
	found := placeholder.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// Text returns the words for a key. values are names and what is set in at their places: "date", "1 May". It fails
// where there is no such key, and where the values are not those that the text has places for.
func (w *Words) Text(key string, values ...any) (string, error) {
	text, known := w.texts[key]
	if !known {
		return "", w.unknown(key)
	}
	if len(values) == 0 && !strings.Contains(text, "{") {
		return text, nil
	}
	if len(values)%2 != 0 {
		return "", fmt.Errorf("the words %q want names and values in turn", key)
	}
	var pairs, names []string
	for i := 0; i < len(values); i += 2 {
		name := fmt.Sprintf("{%v}", values[i])
		names = append(names, name)
		pairs = append(pairs, name, fmt.Sprint(values[i+1]))
	}
	if slices.Sort(names); !slices.Equal(names, placeholders(text)) {
		return "", fmt.Errorf("the words %q, %q, want a value for each of their places", key, text)
	}
	return strings.NewReplacer(pairs...).Replace(text), nil
}

// Own reports whether the site itself says the words for a key.
func (w *Words) Own(key string) bool { return w.own[key] }

// unknown is about a key that there is not.
func (w *Words) unknown(key string) error {
	keys := make([]string, 0, len(w.texts))
	for k := range w.texts {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	if near := suggest.Nearest(key, keys); near != "" {
		return fmt.Errorf("the theme has no words for %q; did you mean %q?", key, near)
	}
	return fmt.Errorf("the theme has no words for %q; its keys stand in templates/words/en.yaml", key)
}
