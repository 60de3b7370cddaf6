package oldsite

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"vitrine/internal/migrate/source"
)

// sample lists names of folders that typically contain sites for testing or demonstrating a program, not its website.
const sample = "test tests __tests__ e2e fixtures __fixtures__ example examples template templates demo demos playground playgrounds starter starters themes vendor"

// isSample reports whether a file is in a folder listed in sample.
func isSample(name string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(part string) bool { return source.HasWord(sample, strings.ToLower(part)) })
}

// FindConfig returns a file with one of the names, or "" if there is none within a depth of four folders. It prefers
// files outside samples and, among those, the least deeply nested.
func FindConfig(s *source.Folder, names ...string) string {
	best := ""
	for _, name := range s.Names {
		if !slices.Contains(names, path.Base(name)) || strings.Count(name, "/") > 4 {
			continue
		}
		// At the same depth, prefer the file whose folder contains the most files.
		deeper := strings.Count(name, "/") - strings.Count(best, "/")
		if best == "" || cmp.Or(rank(isSample(name))-rank(isSample(best)), deeper, len(s.Below(path.Dir(best)))-len(s.Below(path.Dir(name)))) < 0 {
			best = name
		}
	}
	return best
}

func rank(last bool) int {
	if last {
		return 1
	}
	return 0
}

// ByConfig returns a value for Kind.Detect. The function looks for a settings file with one of the names, and returns
// the folder of that file as the site's folder.
func ByConfig(names ...string) func(*source.Folder) (string, bool) {
	return func(s *source.Folder) (string, bool) {
		name := FindConfig(s, names...)
		return path.Dir(name), name != ""
	}
}

// ByPath returns a value for Kind.Detect. The function looks for part, a path that occurs only in one kind of site, and
// returns the folder that contains part as the site's folder. It prefers folders outside samples.
func ByPath(part string) func(*source.Folder) (string, bool) {
	return func(s *source.Folder) (base string, found bool) {
		base = "."
		for _, name := range s.Names {
			i := strings.Index("/"+name, "/"+part)
			if i < 0 || strings.Count(name[:i], "/") >= 4 {
				continue
			}
			if dir := path.Clean(name[:i] + "."); !isSample(name[:i] + "x") {
				return dir, true
			} else if !found {
				base, found = dir, true
			}
		}
		return base, found
	}
}
