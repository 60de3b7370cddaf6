package migrate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/build"
	"vitrine/internal/folder"
	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/source"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// repairRounds is the maximum number of times an import checks the new site. In each round, a file that fails again
// loses more of its syntax, so a few rounds suffice.
const repairRounds = 12

// ErrFails is wrapped by the error that Import returns if vitrine check still finds errors in the new site.
var ErrFails = errors.New("vitrine check still finds errors")

// repair checks the new site and neutralizes the errors, at most repairRounds times. It stops early if the check finds
// no errors or no more files can be changed. It changes only files that this import wrote, and records the problems
// that the final check finds in the result.
func (im *importer) repair(ctx context.Context, t *target) error {
	cache, err := os.MkdirTemp("", "vitrine-import-")
	if err != nil {
		return fmt.Errorf("creating a folder for the check: %w", err)
	}
	tries := map[string]int{}
	for range repairRounds {
		var problems []site.Problem
		_, problems, err = build.Check(ctx, build.Source{Root: im.opt.To}, build.CheckOptions{Cache: cache}, build.Observer{})
		if err != nil {
			err = fmt.Errorf("checking the new site: %w", err)
			break
		}
		im.result.Problems, im.result.BadPages = countProblems(problems)
		failed := failures(problems)
		if len(failed) == 0 {
			break
		}
		changed := false
		for _, name := range source.SortedKeys(failed) {
			var one bool
			if one, err = im.repairFile(t, name, failed[name], tries); err != nil {
				return errors.Join(err, os.RemoveAll(cache))
			}
			changed = changed || one
		}
		if !changed {
			break
		}
	}
	return errors.Join(err, os.RemoveAll(cache))
}

// failures returns the errors among problems, keyed by file.
func failures(problems []site.Problem) map[string][]site.Problem {
	failed := map[string][]site.Problem{}
	for _, p := range problems {
		if p.Severity == site.Error {
			failed[p.Path] = append(failed[p.Path], p)
		}
	}
	return failed
}

// repairFile neutralizes the errors in one file and reports whether it changed any file. It renames a page whose name
// is invalid, and removes a file that is neither a page nor the settings. tries maps each file to the index of the next
// neutralizer or, after the first, to the number of times that repairSettings was called.
func (im *importer) repairFile(t *target, name string, problems []site.Problem, tries map[string]int) (bool, error) {
	if strings.HasPrefix(name, "/") {
		return im.repairOutput(t, problems)
	}
	if !t.owns(name) {
		return false, nil
	}
	data, err := folder.ReadFile(t.root, name)
	if err != nil {
		return false, fmt.Errorf("reading %s: %w", name, err)
	}
	settings := name == "content/site.yaml" || name == "content/product.yaml"
	if path.Ext(name) != ".md" && !settings {
		im.noteRepair(name, problems[0], "", "the file was omitted; correct the file and add it to the new site")
		return true, t.remove(name)
	}
	if settings && (tries[name] > 0 || path.Base(name) == "product.yaml") {
		return im.repairSettings(t, name, problems, tries)
	}
	if slices.ContainsFunc(problems, wrongName) {
		other := renamed(name, t)
		im.noteRepair(name, problems[0], "", "the page was saved as "+other+"; rename the page")
		return true, errors.Join(t.remove(name), t.rewrite(other, data))
	}
	for ; tries[name] < len(neutralizers); tries[name]++ {
		text := neutralizers[tries[name]](string(data), problems)
		if text == string(data) {
			continue
		}
		for _, p := range problems {
			im.noteRepair(name, p, lineAt(string(data), p.Line), "check the page, and correct it manually")
		}
		if tries[name] > 1 || tries[name] == 1 && bytes.Count(data, []byte("\n")) < 2 {
			tries[name]++
		} else if tries[name] == 0 {
			// Fixing the first errors may reveal more errors, so use the first neutralizer up to four times.
			if tries[name+"\x00"]++; tries[name+"\x00"] > 3 {
				tries[name]++
			}
		}
		return true, t.rewrite(name, []byte(text))
	}
	return false, nil
}

// repairSettings rewrites the settings without values that may be invalid. The first two attempts omit the repository,
// the description, and the facts. The next two attempts write only the name and the host. The final attempt writes no
// data from the old site.
func (im *importer) repairSettings(t *target, name string, problems []site.Problem, tries map[string]int) (bool, error) {
	for _, p := range problems {
		im.noteRepair(name, p, "", "add the omitted setting")
	}
	was := im.settings
	switch tries[name]++; tries[name] {
	case 1, 2:
		im.settings = plainer{noDetails: true}
	case 3, 4:
		im.settings = plainer{noDetails: true, nameOnly: true}
	case 5:
		im.settings = plainer{noDetails: true, nameOnly: true, nothing: true}
	default:
		return false, nil
	}
	defer func() { im.settings = was }()
	files, err := im.settingsFiles()
	if err != nil {
		return false, err
	}
	return true, t.rewrite(name, []byte(files[name]))
}

// plainer specifies the settings to omit from the settings files; see repairSettings.
type plainer struct{ noDetails, nameOnly, nothing bool }

// quotedAddress matches the address in the message about a problem in a built file.
var quotedAddress = lazyregexp.New(`"(https?://[^"]+)"`)

// repairOutput removes the scheme from addresses in pages that cause problems in a built file, such as a broken link in
// a feed. It reports whether it changed any pages.
func (im *importer) repairOutput(t *target, problems []site.Problem) (changed bool, err error) {
	for _, p := range problems {
		m := quotedAddress.FindStringSubmatch(p.Text)
		if m == nil {
			continue
		}
		_, bare, _ := strings.Cut(m[1], "://")
		for _, page := range im.Pages {
			name := path.Join("content", page.Name)
			data, readErr := folder.ReadFile(t.root, name)
			if !t.owns(name) || readErr != nil || !bytes.Contains(data, []byte(m[1])) {
				continue
			}
			im.noteRepair(name, p, m[1], "the import removed the scheme from this address; correct the address, and write it in full")
			if err := t.rewrite(name, bytes.ReplaceAll(data, []byte(m[1]), []byte(bare))); err != nil {
				return false, err
			}
			changed = true
		}
	}
	return changed, nil
}

// wrongName reports whether a problem is about the name of its file.
func wrongName(p site.Problem) bool {
	return p.Line == 0 && (p.Code == rule.WrongPath || p.Code == rule.SamePath)
}

// renamed returns an unused name for a page whose name is invalid.
func renamed(name string, t *target) string {
	dir, base := path.Split(name)
	base = source.Fallback(source.Sluggish(strings.TrimSuffix(base, ".md")), "page")
	for n := 2; ; n++ {
		other := path.Join(dir, base+"-"+strconv.Itoa(n)+".md")
		if _, err := t.root.Stat(other); errors.Is(err, fs.ErrNotExist) {
			return other
		}
	}
}

// noteRepair adds a note about neutralized content in the file name. line is the text of the affected line, and do is
// the suggested action. If name is a page, the note refers to the page's source file and line.
func (im *importer) noteRepair(name string, p site.Problem, line, do string) {
	n := convert.Note{File: name, What: "content that vitrine check rejects", Why: p.Text, Do: do, Source: line, Page: name, Placeholder: true}
	if old := im.byName[strings.TrimPrefix(name, "content/")]; old != nil {
		n.File = old.Source
		n.Line = lineWith(old.Text, strings.TrimSpace(line))
	}
	im.Note(n)
}

// lineAt returns the line of text with the given number, counted from 1, or "" if there is none.
func lineAt(text string, number int) string {
	for line := range strings.Lines(text) {
		if number--; number == 0 {
			return strings.TrimSuffix(line, "\n")
		}
	}
	return ""
}

// countProblems returns the number of problems for each level and code, and the number of files with errors.
func countProblems(problems []site.Problem) ([]Count, int) {
	bad := map[string]bool{}
	var counts []Count
	for _, p := range problems {
		level := p.Severity.String()
		if p.Severity == site.Error {
			bad[p.Path] = true
		}
		i := slices.IndexFunc(counts, func(c Count) bool { return c.Code == string(p.Code) && c.Severity == level })
		if i < 0 {
			i = len(counts)
			counts = append(counts, Count{Code: string(p.Code), Severity: level, Example: p.String()})
		}
		counts[i].Number++
	}
	slices.SortStableFunc(counts, func(a, b Count) int {
		return cmp.Or(strings.Compare(a.Severity, b.Severity), b.Number-a.Number)
	})
	return counts, len(bad)
}
