// Package scaffold creates the files of a new site, page, or article. After the author has replaced the placeholders,
// the site builds without warnings. Write writes all files or none, and never overwrites a file.
package scaffold

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"vitrine/internal/lazyregexp"
)

// File is a new file. Its name is relative to the site's root, with forward slashes.
type File struct {
	Name string
	Body []byte
}

// Slug converts a title to a path segment: the title's letters and digits, of any script, in lower case, with "-"
// between words. It returns "" for a title without letters or digits.
func Slug(title string) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(strings.ToLower(title)) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			b.WriteRune(r)
		case r == '\'' || r == '’':
			// Skip the apostrophe, because a word such as "don't" is one word.
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), "-")
}

// Title converts a path segment to a title: "first-steps" becomes "First steps".
func Title(slug string) string {
	words := strings.Join(strings.FieldsFunc(slug, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }), " ")
	for i, r := range words {
		return string(unicode.ToTitle(r)) + words[i+len(string(r)):]
	}
	return words
}

// Page returns the file of a new page. name is the path of the file under content/, without ".md".
func Page(name, title string) File {
	return File{path.Join("content", name) + ".md", []byte("---\n" +
		"title: " + front(title) + "\n" +
		"# One line, for lists and search results.\n" +
		"description: \"\"\n" +
		"---\n\nWrite the page here.\n")}
}

// Article returns the file of a new article in the folder content/blog/name. If author is "", the article has no
// author.
func Article(name, title, author string, day time.Time) File {
	by := ""
	if author != "" {
		by = "author: " + front(author) + "\n"
	}
	return File{path.Join("content/blog", name, "index.md"), []byte("---\n" +
		"title: " + front(title) + "\n" +
		"# One line, for lists and search results.\n" +
		"description: \"\"\n" +
		"date: " + day.Format(time.DateOnly) + "\n" + by +
		"tags: []\n" +
		"# Remove this line when the article may be published.\n" +
		"draft: true\n" +
		"---\n\nWrite the article here. Images go next to this file.\n")}
}

// quote returns s as a double-quoted YAML scalar. It encodes s as JSON, because every JSON string is such a scalar in
// YAML 1.2.
func quote(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	// Encoding a string can't fail.
	_ = encoder.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// front returns s as a YAML scalar for front matter. It escapes "{{", because two braces would start a fact expression.
func front(s string) string {
	return quote(strings.ReplaceAll(s, "{{", `\{{`))
}

// ErrExists is wrapped by the error that Write returns if files already exist. The message lists these files.
var ErrExists = errors.New("files already exist")

// Write writes files under root. If any of them already exists, it writes none. If a write fails, it removes the files
// already written, but not their folders.
func Write(root *os.Root, files []File) error {
	var taken []string
	for _, f := range files {
		if _, err := root.Lstat(f.Name); err == nil {
			taken = append(taken, f.Name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("writing %s: %w", f.Name, err)
		}
	}
	if taken != nil {
		slices.Sort(taken)
		return fmt.Errorf("%w, so no files were written: %s", ErrExists, strings.Join(taken, ", "))
	}
	for i, f := range files {
		if err := create(root, f); err != nil {
			for _, written := range files[:i] {
				err = errors.Join(err, root.Remove(written.Name))
			}
			return fmt.Errorf("writing %s: %w", f.Name, err)
		}
	}
	return nil
}

func create(root *os.Root, f File) error {
	if err := root.MkdirAll(path.Dir(f.Name), 0o777); err != nil {
		return err
	}
	w, err := root.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = w.Write(f.Body)
	if err := errors.Join(err, w.Close()); err != nil {
		return errors.Join(err, root.Remove(f.Name))
	}
	return nil
}

// Repository is the owner and name under which releases are published: on GitHub, in the scope of the npm package, and
// in the name of the image. GitHub doesn't allow this owner name, so until there is a release, generated files can't
// link to someone else's code.
const Repository = "vitrine_example/vitrine"

// Release is the release of Vitrine that a site's deploy files use.
type Release struct {
	// Repository has the form owner/name; see the constant Repository. Version has no "v" at the start.
	Repository, Version string
	// Archive is the SHA-256 of the archive for Linux on amd64. Image is the digest of the image index, which lists the
	// architectures. Both are "" if the release's SHA256SUMS is unavailable.
	Archive, Image string
}

// NPM returns the name of the npm package.
func (r Release) NPM() string { return "@" + strings.ToLower(r.Repository) }

// ImageName returns the name of the container image, with its digest if known.
func (r Release) ImageName() string {
	name := "ghcr.io/" + strings.ToLower(r.Repository) + ":" + r.Version
	if r.Image != "" {
		name += "@sha256:" + r.Image
	}
	return name
}

// sumLine matches a line of SHA256SUMS: a digest and a file name.
var sumLine = lazyregexp.New(`(?m)^([0-9a-f]{64}) [ *](.+?)\r?$`)

// Sum sets Archive and Image from list, the release's SHA256SUMS file. It returns an error if either is missing.
func (r *Release) Sum(list []byte) error {
	for _, want := range []struct {
		name string
		sum  *string
	}{{"linux_amd64.tar.gz", &r.Archive}, {"image.json", &r.Image}} {
		name := "vitrine_" + r.Version + "_" + want.name
		for _, line := range sumLine.FindAllSubmatch(list, -1) {
			if string(line[2]) == name {
				*want.sum = string(line[1])
			}
		}
		if *want.sum == "" {
			return fmt.Errorf("the checksum list has no entry for %s; use the list from the same release, or set the version", name)
		}
	}
	return nil
}

var (
	repositoryName = lazyregexp.New(`^[a-zA-Z0-9][a-zA-Z0-9_-]*/[a-zA-Z0-9][a-zA-Z0-9._-]*$`)
	versionName    = lazyregexp.New(`^[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?$`)
)

// Check returns an error if Repository or Version is malformed.
func (r Release) Check() error {
	if !repositoryName.MatchString(r.Repository) {
		return fmt.Errorf("%q is not a repository; write it as owner/name", r.Repository)
	}
	if !versionName.MatchString(r.Version) {
		return fmt.Errorf("%q is not a Vitrine version; use the form 1.2.3", r.Version)
	}
	return nil
}
