package history

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// None is the head outside of a repository.
const None = "none"

// Head names the commit that Read would begin at, without asking git: equal
// names mean equal dates. It is None outside of a repository; ok is false
// where only git can say.
func Head(dir string) (head string, ok bool) {
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"} {
		if os.Getenv(name) != "" {
			return "", false
		}
	}
	at, err := filepath.Abs(dir)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return "", false
	}
	for {
		info, err := os.Stat(filepath.Join(at, ".git"))
		switch {
		case err == nil && info.IsDir():
			return headOf(filepath.Join(at, ".git"))
		case err == nil, !errors.Is(err, fs.ErrNotExist):
			// A work tree, or a submodule: only git can say.
			return "", false
		}
		if up := filepath.Dir(at); up != at {
			at = up
			continue
		}
		return None, true
	}
}

// headOf reads the commit that HEAD names.
func headOf(git string) (string, bool) {
	// A shallow clone gives no dates, and one with grafts gives others.
	for _, name := range []string{"shallow", "info/grafts", "refs/replace", "reftable"} {
		if _, err := os.Lstat(filepath.Join(git, filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) {
			return "", false
		}
	}
	head, err := os.ReadFile(filepath.Join(git, "HEAD"))
	if err != nil {
		return "", false
	}
	ref, symbolic := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: ")
	if !symbolic {
		return ref, isHash(ref)
	}
	if !filepath.IsLocal(filepath.FromSlash(ref)) {
		return "", false
	}
	if loose, err := os.ReadFile(filepath.Join(git, filepath.FromSlash(ref))); err == nil {
		hash := strings.TrimSpace(string(loose))
		return hash, isHash(hash)
	}
	packed, err := os.ReadFile(filepath.Join(git, "packed-refs"))
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(string(packed)) {
		if hash, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref {
			return hash, isHash(hash)
		}
	}
	return "", false
}

func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}
