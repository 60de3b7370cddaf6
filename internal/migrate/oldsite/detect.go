package oldsite

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"vitrine/internal/migrate/source"
)

// sample lists names of folders with sites that typically test or demonstrate a program, and aren't the program's
// website.
const sample = "test tests __tests__ e2e fixtures __fixtures__ example examples template templates demo demos playground playgrounds starter starters themes vendor"

// isSample reports whether a file is in a folder of samples.
func isSample(name string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(part string) bool { return source.HasWord(sample, strings.ToLower(part)) })
}

// FindConfig returns the file with one of the names, or "" if there is none at a depth of at most four folders. It
// prefers files outside of samples, and among these, files at the smallest depth.
func FindConfig(s *source.Folder, names ...string) string {
	best := ""
	for _, name := range s.Names {
		if !slices.Contains(names, path.Base(name)) || strings.Count(name, "/") > 4 {
			continue
		}
		// At the same depth, use the file whose folder has the most files.
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

// ByConfig returns a function that detects a kind by the names of its settings files.
func ByConfig(names ...string) func(*source.Folder) (string, bool) {
	return func(s *source.Folder) (string, bool) {
		name := FindConfig(s, names...)
		return path.Dir(name), name != ""
	}
}

// ByPath returns a function that detects a kind by a path that only its sites have. The function prefers folders
// outside of samples.
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
