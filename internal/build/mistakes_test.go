package build_test

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
)

// mistake is a test case: a site and the problems that a check must report. If a case has no want, the site must have
// no problems. In the commands edit, new, and remove, the names of files may omit "content/".
type mistake struct {
	files map[string]string
	// want lists the problems, each as "path:line:col CODE". said lists a part of each message, in the same order.
	want, said []string
}

// TestMistakes makes common mistakes, each on its own site. Each mistake must be reported once, at its position. Valid
// content that resembles a mistake must not be reported.
func TestMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/mistakes/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	planted, fine := 0, 0
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		group := strings.TrimSuffix(filepath.Base(name), ".txtar")
		base, _, isCases := strings.Cut(group, "-")
		if !isCases {
			continue
		}
		site := baseSite(t, base)
		for _, section := range archive.Files {
			c, err := parseMistake(site, string(section.Data))
			if err != nil {
				t.Errorf("%s: %s: %v", name, section.Name, err)
				continue
			}
			if len(c.want) == 0 {
				fine++
			} else {
				planted++
			}
			t.Run(group+"/"+section.Name, func(t *testing.T) {
				t.Parallel()
				c.check(t)
			})
		}
	}
	if planted < 168 || fine < 60 {
		t.Errorf("there are %d mistakes and %d fine things; want at least 168 and 60", planted, fine)
	}
}

// namedFile matches the name of a file on the site in a message.
var namedFile = regexp.MustCompile(`\b(?:content|templates)/[\w./-]*\w`)

func (c *mistake) check(t *testing.T) {
	root := rig.Site(t, c.files)
	_, problems, err := build.Check(t.Context(), build.Source{Root: root, Now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}, build.CheckOptions{}, build.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&all, "\n  %s", p)
		if !c.has(p.Path) && !strings.Contains(p.Text, "the file does not exist") {
			t.Errorf("a message is about %s, which the site does not have", p.Path)
		}
	}
	if len(problems) != len(c.want) {
		t.Fatalf("%d problems; want %d: %s%s", len(problems), len(c.want), strings.Join(c.want, ", "), all.String())
	}
	for i, p := range problems {
		got := p.Path
		if p.Line > 0 {
			got = fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Col)
		}
		if got += " " + string(p.Code); got != c.want[i] || !strings.Contains(p.Text, c.said[i]) {
			t.Errorf("want %s %q, found%s", c.want[i], c.said[i], all.String())
		}
		for _, name := range namedFile.FindAllString(p.Text, -1) {
			// A message may name a missing file, for example a file that the author should create.
			if !c.has(name) && !strings.Contains(p.Text, "there is no "+name) && !strings.Contains(p.Text, "there is no file "+name) && !strings.Contains(p.Text, "write "+name) && !strings.Contains(p.Text, "add missing words to "+name) && !strings.Contains(p.Text, " at "+name) {
				t.Errorf("the message names %s, which the site does not have: %s", name, p)
			}
		}
	}
}

// has reports whether the site has a file or a folder with the given name.
func (c *mistake) has(name string) bool {
	if _, ok := c.files[name]; ok {
		return true
	}
	for file := range c.files {
		if strings.HasPrefix(file, name+"/") {
			return true
		}
	}
	return false
}

// baseSite returns the files of the named base site, which the cases modify.
func baseSite(t *testing.T, name string) map[string]string {
	a, err := txtar.ParseFile(filepath.Join("testdata/mistakes", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string, len(a.Files))
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

var quoted = regexp.MustCompile(`^(\S+) ("(?:[^"\\]|\\.)*"|` + "`[^`]*`)" + `(?: ("(?:[^"\\]|\\.)*"|` + "`[^`]*`))?$")

func parseMistake(base map[string]string, text string) (*mistake, error) {
	c := &mistake{files: maps.Clone(base)}
	into := "content/case.md"
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		verb, rest, _ := strings.Cut(lines.Text(), " ")
		name := rest
		if verb == "edit" {
			name, _, _ = strings.Cut(rest, " ")
		}
		if !strings.HasPrefix(name, "content/") && !strings.HasPrefix(name, "templates/") && !strings.HasPrefix(name, "./") {
			name = "content/" + name
		}
		name = strings.TrimPrefix(name, "./")
		switch verb {
		case "":
		case "|":
			c.files[into] += strings.ReplaceAll(rest, "␉", "\t") + "\n"
		case "new":
			into, c.files[name] = name, ""
		case "remove":
			if _, ok := c.files[name]; !ok {
				return nil, fmt.Errorf("there is no %s to remove", name)
			}
			delete(c.files, name)
		case "edit":
			parts := quoted.FindStringSubmatch(rest)
			if parts == nil || parts[3] == "" {
				return nil, fmt.Errorf("edit is FILE %q %q: %s", "old", "new", rest)
			}
			from, err := strconv.Unquote(parts[2])
			to, err2 := strconv.Unquote(parts[3])
			if err := cmp.Or(err, err2); err != nil {
				return nil, err
			}
			if n := strings.Count(c.files[name], from); n != 1 {
				return nil, fmt.Errorf("%q is in %s %d times", from, name, n)
			}
			c.files[name] = strings.Replace(c.files[name], from, to, 1)
		case "want":
			place, said, _ := strings.Cut(rest, ` "`)
			place, code, _ := strings.Cut(place, " ")
			if !strings.HasPrefix(place, "templates/") && !strings.HasPrefix(place, "./") {
				place = "content/" + place
			}
			c.want = append(c.want, strings.TrimPrefix(place, "./")+" "+code)
			c.said = append(c.said, strings.TrimSuffix(said, `"`))
		default:
			return nil, fmt.Errorf("unknown line %q", lines.Text())
		}
	}
	return c, lines.Err()
}
