//go:build proof && unix

package docs_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/load"
	"vitrine/internal/load/shape"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// elsewhere returns the rules that a sample may violate, because the reader's site has pages and files that the sample
// site lacks.
func elsewhere() []site.Code {
	return []site.Code{rule.DeadLink, rule.DeadAnchor, rule.DeadFact, rule.NotAnImage, rule.Orphan, rule.NoDescription, rule.SameTitle, rule.LookFile,
		rule.Translation, rule.Untranslated, rule.UnknownLanguage, rule.UnlinkedFile, rule.MissingWords,
		rule.NoQuestion, rule.NoAnswer}
}

// trySample checks a sample in the sample site. The check must report the code named on the page and no others, except
// the codes that elsewhere returns.
func trySample(t *testing.T, name string, b block, titled map[string]string) {
	files := sampleSite()
	for file, text := range titled {
		// A sample may use the templates of the same page.
		if strings.HasPrefix(file, "templates/") {
			files[file] = text
		}
	}
	if b.language == "markdown" {
		text := b.text
		if !strings.HasPrefix(text, "---") && !strings.HasPrefix(text, "+++") && !strings.HasPrefix(text, "<!-- ---") {
			text = "---\ntitle: A sample\n---\n\n" + text
		}
		files["content/sample.md"] = text
	} else if !addYAML(t, name, b, files) {
		return
	}
	tryFiles(t, name, b, files)
}

// tryFiles checks the sample site with the given files added or replaced.
func tryFiles(t *testing.T, name string, b block, given map[string]string) {
	files := sampleSite()
	maps.Copy(files, given)
	root := t.TempDir()
	if err := rig.WriteFiles(root, files); err != nil {
		t.Fatal(err)
	}
	_, problems, err := build.Check(t.Context(), build.Source{Root: root, NoSocialImages: true}, build.CheckOptions{}, build.Observer{})
	if err != nil {
		t.Errorf("%s:%d: %v", name, b.line, err)
	}
	found := false
	for _, p := range problems {
		if found = found || string(p.Code) == b.reports; string(p.Code) != b.reports && !slices.Contains(elsewhere(), p.Code) {
			t.Errorf("%s:%d: the sample is wrong: %v", name, b.line, p)
		}
	}
	if b.reports != "" && !found {
		t.Errorf("%s:%d: the sample does not have %s: %v", name, b.line, b.reports, problems)
	}
}

// addYAML adds a sample's keys to the file that accepts them, and reports whether there is such a file.
func addYAML(t *testing.T, name string, b block, files map[string]string) bool {
	t.Helper()
	var questions []map[string]any
	if err := yaml.Unmarshal([]byte(b.text), &questions); err == nil && len(questions) > 0 {
		files["content/questions.yaml"] = b.text
		return true
	}
	var sample map[string]any
	if err := yaml.Unmarshal([]byte(b.text), &sample); err != nil {
		t.Errorf("%s:%d: the sample is no YAML: %v", name, b.line, err)
		return false
	}
	known := func(s shape.Shape) bool {
		for key := range sample {
			if s.Get(key) == nil {
				return false
			}
		}
		return true
	}
	switch {
	case len(sample) == 0:
		return false // only a comment
	case known(load.PageShape()) && !known(load.ConfigShape()):
		files["content/sample.md"] = "---\n" + b.text + "---\n\nText.\n"
		if sample["title"] == nil {
			files["content/sample.md"] = "---\ntitle: A sample\n" + b.text + "---\n\nText.\n"
		}
	case known(load.ConfigShape()):
		files["content/site.yaml"] = merged(t, files["content/site.yaml"], sample)
	case known(load.ProductShape()):
		files["content/product.yaml"] = merged(t, files["content/product.yaml"], sample)
	default:
		t.Errorf("%s:%d: the sample has keys of no file of a site; mark it, or give it the title of its file", name, b.line)
		return false
	}
	return true
}

// merged adds a sample's keys to a YAML file and returns the result as JSON, which is valid YAML.
func merged(t *testing.T, file string, sample map[string]any) string {
	t.Helper()
	var whole map[string]any
	if err := yaml.Unmarshal([]byte(file), &whole); err != nil {
		t.Fatal(err)
	}
	var add func(to, from map[string]any)
	add = func(to, from map[string]any) {
		for key, value := range from {
			inner, isMap := value.(map[string]any)
			if there, ok := to[key].(map[string]any); ok && isMap {
				add(there, inner)
			} else {
				to[key] = value
			}
		}
	}
	add(whole, sample)
	text, err := json.MarshalIndent(whole, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}
