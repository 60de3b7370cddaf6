package history

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Values that Head returns if there is no complete history: None outside a repository or before its first commit, and
// Shallow in a shallow clone.
const (
	None    = "none"
	Shallow = "shallow"
)

// Head returns the hash of the commit from which Read would start, None, or Shallow. It doesn't run git. As long as
// Head returns the same value, Read returns the same dates. ok is false if only Git can determine the head.
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
		case err == nil:
			// This is a linked work tree or a submodule.
			return headOf(elsewhere(at, filepath.Join(at, ".git"), "gitdir: "))
		case !errors.Is(err, fs.ErrNotExist):
			return "", false
		}
		if up := filepath.Dir(at); up != at {
			at = up
			continue
		}
		return None, true
	}
}

// elsewhere returns the folder that file, a file written by Git, names after the prefix mark. A relative name is
// relative to from. elsewhere returns "" if the file is missing or doesn't start with mark.
func elsewhere(from, file, mark string) string {
	text, err := os.ReadFile(file)
	path, marked := strings.CutPrefix(strings.TrimSpace(string(text)), mark)
	if err != nil || !marked || path == "" {
		return ""
	}
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(from, path)
}

// headOf returns the results of Head for a repository's .git folder.
func headOf(git string) (string, bool) {
	if git == "" {
		return "", false
	}
	own := git
	// A linked work tree shares everything except HEAD with its repository.
	if _, err := os.Lstat(filepath.Join(git, "commondir")); err == nil {
		if git = elsewhere(git, filepath.Join(git, "commondir"), ""); git == "" {
			return "", false
		}
	}
	// Grafts and replaced commits change the history and thus the dates that Git reports. Only Git can read a reftable.
	for _, name := range []string{"info/grafts", "refs/replace", "reftable"} {
		if _, err := os.Lstat(filepath.Join(git, filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) {
			return "", false
		}
	}
	if _, err := os.Lstat(filepath.Join(git, "shallow")); !errors.Is(err, fs.ErrNotExist) {
		return Shallow, err == nil
	}
	head, err := os.ReadFile(filepath.Join(own, "HEAD"))
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
	loose, err := os.ReadFile(filepath.Join(git, filepath.FromSlash(ref)))
	if err == nil {
		hash := strings.TrimSpace(string(loose))
		return hash, isHash(hash)
	}
	packed, errPacked := os.ReadFile(filepath.Join(git, "packed-refs"))
	if !errors.Is(err, fs.ErrNotExist) || errPacked != nil && !errors.Is(errPacked, fs.ErrNotExist) {
		return "", false
	}
	for line := range strings.Lines(string(packed)) {
		if hash, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref {
			return hash, isHash(hash)
		}
	}
	// The branch has no commit yet.
	return None, true
}

func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}
