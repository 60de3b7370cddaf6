package render

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"vitrine/templates"
)

// The theme's stylesheets use start and end instead of left and right because a physical property would apply to the
// wrong side of a right-to-left page. The map lists the intended exceptions with their reasons.
func TestStylesheetsHaveNoSides(t *testing.T) {
	meant := map[string]string{
		"border-left-color: var(--link)":           "a play icon points right in every language",
		"border-width: .4375rem 0 .4375rem .75rem": "the same icon",
		"border-width: 0 2px 2px 0":                "a check mark isn't an arrow: Arabic and Hebrew use the same one",
		"direction: ltr":                           "code is left-to-right in every language",
	}
	names, err := fs.Glob(templates.FS, "assets/*.css")
	if err != nil || len(names) == 0 {
		t.Fatalf("no stylesheets: %v", err)
	}
	used := make(map[string]bool)
	for _, name := range names {
		css, err := fs.ReadFile(templates.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range sides(string(css)) {
			if meant[found] == "" {
				t.Errorf("%s: %q has a side; write it with inline-start and inline-end, or name it here with its reason", name, found)
			}
			used[found] = true
		}
	}
	for found := range meant {
		if !used[found] {
			t.Errorf("%q is nowhere any more; remove it of the list", found)
		}
	}
	for _, physical := range []string{
		"margin-left: 1px", "padding: 0 1px 0 2px", "text-align: right", "float: left", "right: 0", "inset: 0 auto auto 0",
		"border-top-left-radius: 2px", "border-left: 1px solid", "margin: 1px 2px 1px 3px", "clear: left", "scroll-margin-left: 0", "border-radius: 1px 0 0 1px",
	} {
		if len(sides("a { "+physical+"; }")) != 1 {
			t.Errorf("%q passes", physical)
		}
	}
}

var (
	cssComment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
	declaration = regexp.MustCompile(`[{;]\s*([a-z-]+)\s*:\s*([^;{}]+)`)
	aSide       = regexp.MustCompile(`(^|-)(left|right)(-|$)`)
	ofASide     = regexp.MustCompile(`^(text-align|text-align-last|float|clear|caption-side|direction)$`)
	ofFour      = regexp.MustCompile(`^((scroll-)?(margin|padding)|inset|border-(width|style|color|radius))$`)
)

// sides returns the declarations in css that name left or right or that set the two sides to different values.
func sides(css string) (found []string) {
	for _, m := range declaration.FindAllStringSubmatch(cssComment.ReplaceAllString(css, ""), -1) {
		name, value := m[1], strings.TrimSpace(m[2])
		parts := strings.Fields(regexp.MustCompile(`\([^()]*(\([^()]*\))*[^()]*\)`).ReplaceAllStringFunc(value, func(s string) string { return strings.ReplaceAll(s, " ", "") }))
		switch {
		case aSide.MatchString(name),
			ofASide.MatchString(name) && (strings.Contains(value, "left") || strings.Contains(value, "right") || name == "direction"),
			ofFour.MatchString(name) && len(parts) == 4 && (parts[1] != parts[3] || name == "border-radius"):
			found = append(found, name+": "+value)
		}
	}
	return found
}

// A page's language determines its direction. Left-to-right pages have no dir attribute.
func TestDirectionOfPages(t *testing.T) {
	for language, want := range map[string]string{"en": `<html lang="en">`, "ar": `<html lang="ar" dir="rtl">`, "he-IL": `<html lang="he-IL" dir="rtl">`, "ja": `<html lang="ja">`} {
		files := sampleFacts()
		files["content/site.yaml"] = strings.Replace(files["content/site.yaml"], "language: en\n", "", 1) + "\nlanguage: " + language + "\n"
		b := build(t, files, withoutImages)
		for _, path := range []string{"/", "/search"} {
			if body := b.body(t, path); !strings.Contains(body, want) {
				t.Errorf("%s: %s lacks %s:\n%.200s", language, path, want, body)
			}
		}
	}
}
