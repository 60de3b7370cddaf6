package rooms_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// make proof finds its tests in files named *_proof_test.go, which the build tag proof excludes from make test. It runs
// them by name, so an ordinary test with the same name in the package would run twice.
func TestProofFiles(t *testing.T) {
	functions, constraint := regexp.MustCompile(`(?m)^func (Test\w+)\(`), regexp.MustCompile(`(?m)^//go:build (proof( && (unix|!unix|linux))?)$`)
	proven, ordinary := map[string]map[string]bool{}, map[string][]string{}
	all := map[string]bool{}
	for _, folder := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join(rig.Root(t), folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			dir, named := filepath.Dir(path), strings.HasSuffix(path, "_proof_test.go")
			if tagged := constraint.Match(text); tagged != named {
				t.Errorf("%s: build tag proof %t, file name *_proof_test.go %t; want both or neither", path, tagged, named)
			}
			if named && proven[dir] == nil {
				proven[dir] = map[string]bool{}
			}
			for _, m := range functions.FindAllStringSubmatch(string(text), -1) {
				if named {
					all[m[1]] = true
				} else if !strings.Contains(string(text), "&& power ") {
					ordinary[dir] = append(ordinary[dir], m[1])
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for dir := range proven {
		for _, name := range ordinary[dir] {
			if all[name] {
				t.Errorf("%s: %s is the name of a proof's test; make proof would run both", dir, name)
			}
		}
	}
	if len(all) < 30 {
		t.Errorf("found %d tests of make proof; want at least 30", len(all))
	}
}
