package load

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"vitrine/internal/fix"
	"vitrine/internal/folder"
	"vitrine/internal/site"
)

func TestMain(m *testing.M) {
	flag.Bool("update", false, "write what was got into testdata as what is wanted")
	flag.Parse()
	os.Exit(m.Run())
}

func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// now is the current time in every test.
func now() time.Time { return time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC) }

// firstHeading replaces the Markdown parser in tests. It returns the text of the first line that begins with "# ", or
// "" if there is none.
func firstHeading(_ string, source []byte, body int) string {
	for line := range strings.Lines(string(source[body:])) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	return ""
}

// TestLoad runs every case in testdata: a tree of files, its diagnostics ("want"), and its site ("site",
// "product.json"). A case without product.yaml or site.yaml uses the file in testdata/base, unless its comment contains
// "bare". The lines of a file whose name ends in " (quoted)" are Go string literals, for bytes that a text file can't
// contain.
func TestLoad(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			playCase(t, name)
		})
	}
}

func playCase(t *testing.T, name string) {
	if runtime.GOOS == "windows" && (strings.Contains(name, "bad-paths") || strings.Contains(name, "bad-published")) {
		return // the operating system rejects such names
	}
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if !strings.Contains(string(archive.Comment), "bare") {
		if err := os.CopyFS(dir, os.DirFS("testdata/base")); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "content") || strings.Contains(f.Name, "/") && !strings.HasPrefix(f.Name, "fixed ") {
			writeFile(t, dir, f)
		}
	}
	s, problems := loadDir(t, dir, Options{
		Drafts: strings.Contains(string(archive.Comment), "with drafts"), Now: now(), TitleOf: firstHeading,
	})
	if s == nil {
		s = new(site.Site)
	}
	got := map[string]string{"want": diagnostics(problems), "site": describe(s), "product.json": string(s.Product.JSON), "config": describeConfig(s.Config), "questions": describeQuestions(s.Questions), "authors": describeAuthors(s.Authors), "admin": describeAdmin(s.Config.Admin)}
	for name, text := range fixed(t, dir, problems) {
		got["fixed "+name] = text
	}
	changed := false
	for i, f := range archive.Files {
		text, ok := got[f.Name]
		if !ok || text == string(f.Data) {
			continue
		}
		if changed = true; updating() {
			archive.Files[i].Data = []byte(text)
		} else {
			t.Errorf("%s:\n--- got\n%s--- want\n%s", f.Name, text, f.Data)
		}
	}
	if changed && updating() {
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// fixed applies the problems' edits to the files in dir, checks that those problems are gone, and returns the files'
// new contents by name.
func fixed(t *testing.T, dir string, problems []site.Problem) map[string]string {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	texts := make(map[string]string)
	for name, edits := range fix.Edits(problems) {
		f, err := fix.Read(root, name)
		if err == nil {
			err = f.Edit(edits)
		}
		if err == nil {
			err = f.Write(root)
		}
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(f.Text)
	}
	_, left := loadDir(t, dir, Options{Drafts: true, Now: now(), TitleOf: firstHeading})
	for _, p := range left {
		if p.Fix != (site.Edit{}) {
			t.Errorf("it is still there: %v", p)
		}
	}
	for _, p := range problems {
		if p.Fix != (site.Edit{}) && slices.ContainsFunc(left, func(l site.Problem) bool { return l.Path == p.Path && l.Text == p.Text }) {
			t.Errorf("it is still there: %v", p)
		}
	}
	return texts
}

func writeFile(t *testing.T, dir string, f txtar.File) {
	t.Helper()
	name, quoted := strings.CutSuffix(f.Name, " (quoted)")
	data := f.Data
	if quoted {
		data = nil
		for line := range strings.Lines(string(f.Data)) {
			text, err := strconv.Unquote(strings.TrimSpace(line))
			if err != nil {
				t.Fatalf("%s: %s: %v", f.Name, line, err)
			}
			data = append(data, text...)
		}
	}
	addPage(t, dir, name, string(data))
}

func loadDir(t testing.TB, dir string, opt Options) (*site.Site, []site.Problem) {
	t.Helper()
	root, err := folder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s, problems, err := Load(context.Background(), root, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s, problems
}

func diagnostics(problems []site.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintln(&b, p)
	}
	return b.String()
}

func describe(s *site.Site) string {
	var b strings.Builder
	for _, p := range s.Pages {
		describePage(&b, "page", p)
	}
	for _, p := range s.Withheld {
		describePage(&b, "withheld", p)
	}
	for _, f := range s.Files {
		fmt.Fprintf(&b, "file %s <- %s, %d bytes\n", f.Path, f.Source, f.Size)
	}
	return b.String()
}

func describePage(b *strings.Builder, what string, p *site.Page) {
	fmt.Fprintf(b, "%s %s <- %s: %q, layout %s, body at %d", what, p.Path, p.Source, p.Title, p.Layout, p.Body)
	word := func(show bool, format string, args ...any) {
		if show {
			fmt.Fprintf(b, ", "+format, args...)
		}
	}
	word(p.Description != "", "description %q", p.Description)
	word(!p.Date.IsZero(), "date %s", p.Date.Format(time.RFC3339))
	word(!p.Updated.IsZero(), "updated %s", p.Updated.Format(time.RFC3339))
	word(p.Draft, "draft")
	word(p.Scheduled, "scheduled")
	word(p.Unlisted, "unlisted")
	for _, a := range p.Aliases {
		word(true, "alias %s at %d:%d", a.Path, a.Pos.Line, a.Pos.Col)
	}
	word(p.Tags != nil, "tags %q", p.Tags)
	for _, a := range p.Authors {
		word(true, "author %q", a.Target)
	}
	word(p.Image.Target != "", "image %s at %d:%d", p.Image.Target, p.Image.Pos.Line, p.Image.Pos.Col)
	word(p.Cover.Src.Target != "", "cover %s %q at %d:%d", p.Cover.Src.Target, p.Cover.Alt, p.Cover.Src.Pos.Line, p.Cover.Src.Pos.Col)
	word(p.Series != "", "series %q at %d:%d", p.Series, p.SeriesPos.Line, p.SeriesPos.Col)
	word(p.Order != 0, "order %d", p.Order)
	for _, k := range slices.Sorted(maps.Keys(p.Params)) {
		word(true, "%s=%#v", k, p.Params[k])
	}
	b.WriteByte('\n')
	for _, s := range p.Sections {
		fmt.Fprintf(b, "  %d:%d %s %q, picture %s %q\n", s.Pos.Line, s.Pos.Col, s.Kind, s.Title.Text, s.Picture.Src.Target, s.Picture.Alt)
		for _, a := range s.Actions {
			fmt.Fprintf(b, "    %q to %s\n", a.Label.Text, a.Target.Target)
		}
		for _, i := range s.Items {
			fmt.Fprintf(b, "    %d:%d %q %q, picture %s, to %s\n", i.Pos.Line, i.Pos.Col, i.Title.Text, i.Text.Text, i.Picture.Src.Target, i.Target.Target)
		}
	}
}

func describeQuestions(questions []site.Question) string {
	var b strings.Builder
	for _, q := range questions {
		fmt.Fprintf(&b, "%d:%d %q in %s at %d:%d, budget %d\n", q.Pos.Line, q.Pos.Col, q.Text, q.In, q.InPos.Line, q.InPos.Col, q.Budget)
		for _, e := range q.Answer {
			fmt.Fprintf(&b, "  %d:%d %q of %s\n", e.Pos.Line, e.Pos.Col, e.Text, e.Written)
		}
	}
	return b.String()
}

func describeAuthors(authors []*site.Author) string {
	var b strings.Builder
	for _, a := range authors {
		at := a.Picture.Src.Pos
		fmt.Fprintf(&b, "%d:%d %s %q, picture %q %q at %d:%d, url %q, bio %q\n", a.Pos.Line, a.Pos.Col, a.Key, a.Name, a.Picture.Src.Target, a.Picture.Alt, at.Line, at.Col, a.URL, a.Bio)
	}
	return b.String()
}

func describeConfig(c site.Config) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q %q %s %s cli=%s docs=%s\n", c.BaseURL, c.Title, c.Description, c.Language, c.Location, c.CLIName, c.Documentation)
	for _, n := range c.Navigation {
		fmt.Fprintf(&b, "navigation %q %s at %d:%d\n", n.Label, n.Path, n.Pos.Line, n.Pos.Col)
	}
	fmt.Fprintf(&b, "use %q, not %q\n", c.WhenToUse, c.WhenNotToUse)
	if r := c.Retirement; r != nil {
		fmt.Fprintf(&b, "retirement %s %s %s\n", r.Deprecation.Format(time.RFC3339), r.Sunset.Format(time.RFC3339), r.Notice)
	}
	fmt.Fprintf(&b, "robots %v %v\nsecurity %q %s\n", c.Robots.ContentSignal, c.Robots.NoindexMarkdown, c.Security.Contact, c.Security.Expires.Format(time.RFC3339))
	if c.Images != (site.Images{}) {
		fmt.Fprintf(&b, "images %+v\n", c.Images)
	}
	return b.String()
}

func describeAdmin(a *site.Admin) string {
	if a == nil {
		return "none\n"
	}
	return fmt.Sprintf("at %d:%d, backend %v\n", a.Pos.Line, a.Pos.Col, a.Backend)
}
