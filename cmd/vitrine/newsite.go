package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"vitrine/internal/build"
	"vitrine/internal/scaffold"
	"vitrine/internal/schema"
)

// site begins a site in a folder, which may be there already.
func (a *newArguments) site(stdout io.Writer) error {
	folder := a.name
	if !isPath(a.name) {
		if folder = scaffold.Slug(a.name); folder == "" {
			return fmt.Errorf("%q has no letter or digit that a folder's name could be made of; give a path, and a title with --title", a.name)
		}
	}
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(a.root, folder)
	}
	title := a.title
	if title == "" {
		title = a.name
		if isPath(a.name) {
			whole, err := filepath.Abs(folder)
			if err != nil {
				return fmt.Errorf("finding the folder: %w", err)
			}
			title = scaffold.Title(filepath.Base(whole))
		}
	}
	now, err := build.Now()
	if err != nil {
		return err
	}
	files, err := scaffold.Site(title, now.UTC())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("making the site's folder: %w", err)
	}
	if err := writeBelow(folder, files); err != nil {
		return err
	}
	for _, f := range files {
		if _, err := fmt.Fprintf(stdout, "wrote %s\n", filepath.Join(folder, filepath.FromSlash(f.Name))); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(stdout, "next: write the facts into content/product.yaml and the address into content/site.yaml, then run vitrine preview --root %s\n", folder)
	return err
}

func writeBelow(folder string, files []scaffold.File) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("opening the site's folder: %w", err)
	}
	return errors.Join(scaffold.Write(root, files), root.Close())
}

// adminPart is a file of the content editor: where it belongs, and where npm
// puts it below node_modules.
type adminPart struct {
	name, module string
}

func adminParts() []adminPart {
	return []adminPart{
		{"content/static" + schema.AdminScript, "@sveltia/cms/dist/sveltia-cms.js"},
		{"content/static" + schema.AdminIcons, "@fontsource-variable/material-symbols-outlined/files/material-symbols-outlined-latin-wght-normal.woff2"},
	}
}

// admin copies the content editor from where npm installed it.
func (a *newArguments) admin(stdout io.Writer) error {
	var files []scaffold.File
	for _, part := range adminParts() {
		body, err := os.ReadFile(filepath.Join(a.name, filepath.FromSlash(part.module)))
		if err != nil {
			return fmt.Errorf("reading the content editor: %w; run npm install @sveltia/cms @fontsource-variable/material-symbols-outlined, then vitrine new admin node_modules", err)
		}
		files = append(files, scaffold.File{Name: part.name, Body: body})
	}
	if err := writeBelow(a.root, files); err != nil {
		return err
	}
	for _, f := range files {
		if _, err := fmt.Fprintf(stdout, "wrote %s\n", filepath.Join(a.root, filepath.FromSlash(f.Name))); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(stdout, "next: ask for the editor in content/site.yaml, with\n\nadmin:\n  backend: {name: github, repo: owner/name, branch: main}\n")
	return err
}
