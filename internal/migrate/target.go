package migrate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"vitrine/internal/folder"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"

	imagefile "vitrine/internal/image/file"
)

// stateName is the name of the file that records which files an import wrote, so that the next import can detect the
// user's changes.
const stateName = ".vitrine-import.json"

// state is the content of the file stateName, encoded as JSON.
type state struct {
	// Files maps each file to the hash of the content that the import wrote.
	Files map[string]string `json:"files"`
}

// target is the folder of the new site. It protects files that the user has changed since the previous import.
type target struct {
	root *os.Root
	// was is the state after the previous import, and now is the state after this import.
	was, now state
	// kept lists the files that this import didn't write because the user had changed, deleted, or created them.
	kept []string
}

// openTarget opens the new site's folder, which must be missing, empty, or written by an import.
func openTarget(name string) (*target, error) {
	if err := os.MkdirAll(name, 0o777); err != nil {
		return nil, fmt.Errorf("creating the folder for the new site: %w", err)
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("opening the folder of the new site: %w", err)
	}
	t := &target{root: root, now: state{Files: map[string]string{}}}
	data, err := folder.ReadFile(root, stateName)
	switch {
	case err == nil:
		if err := json.Unmarshal(data, &t.was); err != nil {
			return nil, errors.Join(fmt.Errorf("reading the record of the previous import, from %s: %w; specify a new folder with --to", stateName, err), root.Close())
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, errors.Join(fmt.Errorf("reading the record of the previous import: %w", err), root.Close())
	default:
		entries, err := fs.ReadDir(root.FS(), ".")
		if err == nil && len(entries) > 0 {
			err = fmt.Errorf("%s is not empty and was not created by an import; specify a new folder with --to", name)
		}
		if err != nil {
			return nil, errors.Join(err, root.Close())
		}
	}
	return t, nil
}

func (t *target) close() error { return t.root.Close() }

func hashed(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// write writes a file. It doesn't replace a special file, or a file that the user has changed, deleted, or created
// since the previous import. Instead, it adds the file's name to kept.
func (t *target) write(name string, data []byte) error {
	was := t.was.Files[name]
	there, err := folder.ReadFile(t.root, name)
	missing := errors.Is(err, fs.ErrNotExist)
	var special *folder.Special
	switch {
	case errors.As(err, &special), missing && was != "", err == nil && !bytes.Equal(there, data) && hashed(there) != was:
		if was != "" {
			t.now.Files[name] = was
		}
		t.kept = append(t.kept, name)
		return nil
	case err != nil && !missing:
		return fmt.Errorf("reading %s: %w", name, err)
	case missing || !bytes.Equal(there, data):
		if err := t.root.MkdirAll(path.Dir(name), 0o777); err != nil {
			return fmt.Errorf("creating the folder for %s: %w", name, err)
		}
		if err := t.replace(name, data); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	t.now.Files[name] = hashed(data)
	return nil
}

// replace writes a temporary file and renames it to name, so that the named file is never incomplete.
func (t *target) replace(name string, data []byte) error {
	temporary := path.Join(path.Dir(name), ".import-"+hashed([]byte(name))[:16])
	err := t.root.WriteFile(temporary, data, 0o666)
	if err == nil {
		err = t.root.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(err, t.root.Remove(temporary))
	}
	return nil
}

// owns reports whether this import wrote the named file.
func (t *target) owns(name string) bool {
	return t.now.Files[name] != "" && !slices.Contains(t.kept, name)
}

// rewrite replaces a file that this import wrote.
func (t *target) rewrite(name string, data []byte) error {
	if err := t.replace(name, data); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	t.now.Files[name] = hashed(data)
	return nil
}

// remove removes a file that this import wrote.
func (t *target) remove(name string) error {
	if err := t.root.Remove(name); err != nil {
		return fmt.Errorf("removing %s: %w", name, err)
	}
	delete(t.now.Files, name)
	return nil
}

// forget removes the unchanged files that the previous import wrote but this import didn't. If replace is false, it
// keeps these files and returns their names. It adds files that the user has changed to kept.
func (t *target) forget(replace bool) (left []string, err error) {
	for name, hash := range t.was.Files {
		if t.now.Files[name] != "" || !fs.ValidPath(name) {
			continue
		}
		there, err := folder.ReadFile(t.root, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", name, err)
		case hashed(there) == hash && !replace:
			t.now.Files[name] = hash
			left = append(left, name)
		case hashed(there) == hash:
			if err := t.root.Remove(name); err != nil {
				return nil, fmt.Errorf("removing %s, which is no longer part of the site: %w", name, err)
			}
		default:
			t.kept = append(t.kept, name)
		}
	}
	slices.Sort(t.kept)
	slices.Sort(left)
	return left, nil
}

// finish saves the state of this import for the next import.
func (t *target) finish() error {
	data, err := json.MarshalIndent(t.now, "", "  ")
	if err == nil {
		err = t.replace(stateName, append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("recording the import: %w", err)
	}
	return nil
}

// writeAll writes the files of the new site.
func (im *importer) writeAll(ctx context.Context, t *target) error {
	for _, p := range im.Pages {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("importing: %w", err)
		}
		if err := t.write(path.Join("content", p.Name), []byte(im.frontText(p)+p.Out)); err != nil {
			return err
		}
	}
	names := map[string]bool{}
	for _, f := range im.Files {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("importing: %w", err)
		}
		if f.Linked && !f.Needed || names[f.Name] {
			continue
		}
		names[f.Name] = true
		data, err := im.Src.Bytes(f.Source, source.MaxAsset)
		if err != nil {
			im.Failed(f.Source, "the file", err)
			continue
		}
		if err := t.write(path.Join("content", f.Name), data); err != nil {
			return err
		}
		im.result.Files++
	}
	settings, err := im.settingsFiles()
	if err != nil {
		return err
	}
	for _, name := range source.SortedKeys(settings) {
		if err := t.write(name, []byte(settings[name])); err != nil {
			return err
		}
	}
	im.result.Left, err = t.forget(im.opt.Replace)
	return err
}

// unpublished omits the files that can't be published. It must be called before links are resolved. It adds notes about
// these files, except for other hosts' configuration files.
func (im *importer) unpublished() {
	addresses := map[string]bool{}
	for _, p := range im.Pages {
		addresses[strings.ToLower(p.Path)] = true
	}
	im.markdownFiles()
	im.Files = slices.DeleteFunc(im.Files, func(f *oldsite.File) bool {
		if !im.publishable(f, addresses) {
			return true
		}
		if !strings.EqualFold(path.Ext(f.Name), ".svg") {
			return false
		}
		data, err := im.Src.Bytes(f.Source, source.MaxText)
		if err == nil && imagefile.IsMarkup(data) {
			var found []imagefile.Finding
			found, err = imagefile.Scripts(data)
			if len(found) > 0 {
				err = errors.New("it contains a script")
			}
		}
		if err == nil {
			return false
		}
		im.Note(convert.Note{File: f.Source, What: "the image " + f.Path, Why: err.Error(), Do: "save the image without scripts as content/" + f.Name})
		return true
	})
}

// markdownFiles omits Markdown that the old site published verbatim, because addresses that end in .md are reserved for
// the Markdown forms of pages. There may be thousands of such files, so markdownFiles adds only one note for each
// folder in the top two levels.
func (im *importer) markdownFiles() {
	count, first := map[string]int{}, map[string]string{}
	im.Files = slices.DeleteFunc(im.Files, func(f *oldsite.File) bool {
		if !source.IsPage(f.Path) {
			return false
		}
		parts := strings.SplitN(f.Source, "/", 3)
		dir := strings.Join(parts[:len(parts)-1], "/")
		if count[dir]++; count[dir] == 1 {
			first[dir] = f.Source
		}
		return true
	})
	for _, dir := range source.SortedKeys(count) {
		im.Note(convert.Note{File: first[dir], What: fmt.Sprintf("%d Markdown files that the old site published verbatim, in %s", count[dir], source.Fallback(dir, ".")),
			Why: "addresses that end in .md are reserved for the Markdown forms of pages", Do: "copy them to content/static with another extension, such as .txt"})
	}
}

// publishable reports whether a file can be published: it must not conflict with a file that Vitrine generates or with
// a page of the new site, and it must not configure another host. publishable adds a note about a conflict.
func (im *importer) publishable(f *oldsite.File, addresses map[string]bool) bool {
	switch f.Path {
	case "/robots.txt", "/sitemap.xml", "/llms.txt", "/llms-full.txt", "/feed.xml", "/feed.json", "/changes.xml", "/changes.json", "/openapi.json", "/search.json", "/.well-known/security.txt":
		im.Note(convert.Note{File: f.Source, What: "the file " + f.Path, Why: "Vitrine generates this file", Do: "move its settings to content/site.yaml"})
		return false
	case "/_redirects", "/_headers", "/CNAME", "/.nojekyll":
		return false
	}
	if strings.HasSuffix(f.Path, ".html") && addresses[strings.ToLower(source.CleanAddress(f.Path))] {
		im.Note(convert.Note{File: f.Source, What: "the file " + f.Path, Why: "a page has the same address", Do: "move the file to another address"})
		return false
	}
	return true
}
