// Package cut creates a version of a site's documentation: it copies the current version in all languages, adapts the
// links in the copy, and adds the copy to the settings.
package cut

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"vitrine/internal/build"
	"vitrine/internal/fix"
	"vitrine/internal/folder"
	"vitrine/internal/load"
	"vitrine/internal/site"
)

const settingsFile = folder.Content + "/site.yaml"

// Request describes the version to create.
type Request struct {
	// Root is the site's folder. Folder is the documentation's folder in content/. Name is the name of the new
	// version's folder.
	Root, Folder, Name string
	// Label is the new version's label for readers, or "" to use Name. Current is the label of the current version,
	// which New uses only if the site has no versions yet.
	Label, Current string
}

// Version is a new version that is ready to be written.
type Version struct {
	// From and To are the folders of the current version and of the copy, relative to content/.
	From, To string
	// BecomesCurrent reports whether the copy becomes the current version. If so, the copy is next to its source.
	// Otherwise, it is inside the source's folder, which stays current.
	BecomesCurrent bool
	// Files are the copied files. Settings is the edited site.yaml, with the new version.
	Files    []File
	Settings *fix.File
	// Links is the number of links rewritten in the copies. Aliases is the number of copied pages whose aliases were
	// removed.
	Links, Aliases int
	// Left contains a problem for each link that must be changed by hand.
	Left []site.Problem
}

// File is a copied file of the version.
type File struct {
	// From and To are the paths of the source and of the copy, relative to the site's root.
	From, To string
	Text     []byte
}

// New prepares the version that r describes, but doesn't write files. It returns an error if the site has errors, or if
// the version can't be created, for example because its folder already exists.
func New(ctx context.Context, r Request) (v *Version, err error) {
	live, err := build.OpenLive(ctx, build.Source{Root: r.Root, Drafts: true}, nil, build.Observer{})
	if err != nil {
		return nil, err
	}
	if problems, _ := live.Problems(); live.Site() == nil || live.Index() == nil || site.HasErrors(problems) {
		return nil, fmt.Errorf("the site has errors, so its links cannot be determined; fix the errors that vitrine check reports")
	}
	root, err := os.OpenRoot(r.Root)
	if err != nil {
		return nil, fmt.Errorf("opening the site: %w", err)
	}
	defer root.Close()
	c := &cutter{request: r, live: live, site: live.Site(), root: root, version: new(Version)}
	for _, step := range []func() error{c.place, c.free, c.copy, c.settings} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return c.version, nil
}

// cutter prepares one version.
type cutter struct {
	request Request
	live    *build.Live
	site    *site.Site
	root    *os.Root
	version *Version
}

// place sets the version's From, To, and BecomesCurrent. It returns an error if the version's name is invalid, or if
// the requested folder isn't documentation or isn't the current version.
func (c *cutter) place() error {
	v := c.version
	name := strings.TrimPrefix(strings.Trim(c.request.Folder, "/"), folder.Content+"/")
	if problem := load.NameProblem(c.request.Name); problem != "" || strings.Contains(c.request.Name, "/") {
		return fmt.Errorf("%q cannot be used as a version folder; use a name such as v3", c.request.Name)
	}
	all := c.site.Config.Versions
	v.From = name
	if len(all) > 0 {
		current := all[0].Path[1:]
		parent := path.Dir(current)
		isBeside := func(o site.Version) bool { return path.Dir(o.Path[1:]) == parent }
		switch beside := parent != "." && len(all) > 1 && slices.ContainsFunc(all[1:], isBeside); {
		case beside && (name == parent || name == current):
			v.From, v.To, v.BecomesCurrent = current, parent+"/"+c.request.Name, true
			return nil
		case name != current && slices.ContainsFunc(all, func(o site.Version) bool { return o.Path[1:] == name }):
			return fmt.Errorf("%s is an old version; specify the folder of the current version, %s", name, current)
		case name != current:
			return fmt.Errorf("the versions in %s belong to %s; specify that folder", settingsFile, current)
		}
	}
	isDocs := func(p *site.Page) bool { return p.Local() == "/"+name && p.Layout == "docs" }
	if !slices.ContainsFunc(c.site.Pages, isDocs) {
		return fmt.Errorf("content/%s is not a documentation folder; specify a folder whose index.md sets layout: docs", name)
	}
	v.To = name + "/" + c.request.Name
	return nil
}

// folders returns the paths of a folder in content/, one for each language.
func (c *cutter) folders(name string) []string {
	all := []string{folder.Content + "/" + name}
	for _, l := range c.site.Config.Languages {
		all = append(all, folder.Content+"/"+l.Tag+"/"+name)
	}
	return all
}

// free returns an error if the version's folder or a page with the same name already exists in any language.
func (c *cutter) free() error {
	for _, to := range c.folders(c.version.To) {
		for _, name := range []string{to, to + ".md"} {
			if _, err := c.root.Lstat(name); err == nil {
				return fmt.Errorf("%s already exists; choose another name", name)
			}
		}
	}
	return nil
}

// copy reads the current version's files in all languages, and adapts their text to the new version.
func (c *cutter) copy() error {
	edits := c.edits()
	to := c.folders(c.version.To)
	for i, from := range c.folders(c.version.From) {
		if _, err := c.root.Lstat(from); err != nil {
			continue // The documentation has no translation to this language.
		}
		err := fs.WalkDir(c.root.FS(), from, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (c.isOther(name) || name != from && folder.Ignored(d.Name())):
				return fs.SkipDir
			case d.IsDir() || !d.Type().IsRegular() || folder.Ignored(d.Name()):
				return nil
			}
			text, err := c.root.ReadFile(name)
			if err != nil {
				return err
			}
			copied, err := c.edited(name, text, edits[name])
			c.version.Files = append(c.version.Files, File{From: name, To: to[i] + strings.TrimPrefix(name, from), Text: copied})
			return err
		})
		if err != nil {
			return fmt.Errorf("reading the current version: %w", err)
		}
	}
	return nil
}

// isOther reports whether the named file or folder belongs to another version whose folder is inside the current
// version's folder.
func (c *cutter) isOther(name string) bool {
	for _, o := range c.site.Config.Versions {
		if o.Path[1:] == c.version.From {
			continue
		}
		for _, other := range c.folders(o.Path[1:]) {
			if isWithin(name, other) {
				return true
			}
		}
	}
	return false
}

// isWithin reports whether name is dir or a path inside it.
func isWithin(name, dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }

// Write writes the copies to the site in dir and replaces site.yaml. It never overwrites other files. On failure, it
// removes the copies already written, but not their folders.
func (v *Version) Write(dir string) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("opening the site: %w", err)
	}
	defer root.Close()
	var written []string
	defer func() {
		if err != nil {
			for _, name := range written {
				_ = root.Remove(name) // Return only the first error.
			}
		}
	}()
	for _, f := range v.Files {
		if err := root.MkdirAll(path.Dir(f.To), 0o777); err != nil {
			return fmt.Errorf("writing the version: %w", err)
		}
		file, err := root.OpenFile(f.To, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return fmt.Errorf("writing the version: %w", err)
		}
		written = append(written, f.To)
		_, err = file.Write(f.Text)
		if closed := file.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return fmt.Errorf("writing the version: %w", err)
		}
	}
	if err := v.Settings.Write(root); err != nil {
		return fmt.Errorf("%s: %w", settingsFile, err)
	}
	return nil
}
