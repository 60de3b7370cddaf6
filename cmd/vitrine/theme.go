package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"vitrine/internal/folder"
	"vitrine/internal/load/suggest"
	"vitrine/internal/scaffold"
	"vitrine/templates"
)

// declareTheme declares theme, which lists the theme's files or copies some of them to a site, where the copies
// override the originals.
func declareTheme(flags *flag.FlagSet) action {
	root := flags.String("root", ".", "the site's `folder`")
	return func(_ context.Context, arguments []string, stdout, stderr io.Writer) error {
		words, err := parseArguments(flags, arguments)
		if err != nil {
			return err
		}
		if len(words) == 0 {
			return usageError(flags, "vitrine theme needs list or export")
		}
		files, err := themeFiles()
		if err != nil {
			return err
		}
		switch verb, names := words[0], words[1:]; {
		case verb == "list" && len(names) == 0:
			return listTheme(stdout, *root, files)
		case verb == "list":
			return usageError(flags, "vitrine theme list accepts no arguments")
		case verb != "export":
			return usageError(flags, "unknown subcommand %q; want list or export", verb)
		case len(names) == 0:
			return usageError(flags, "vitrine theme export needs files, such as partials/footer.html; run vitrine theme list to see them all")
		default:
			return exportTheme(stdout, *root, files, names)
		}
	}
}

// themeFiles returns the names of the theme's files, relative to templates/.
func themeFiles() (names []string, err error) {
	err = fs.WalkDir(templates.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the theme: %w", err)
	}
	return names, nil
}

// listTheme prints the names of the files in the theme and in the site's templates folder, with their origin.
func listTheme(stdout io.Writer, root string, files []string) error {
	own, err := ownFiles(root)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	all := slices.Concat(files, own)
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		whose := "the theme's"
		switch {
		case !slices.Contains(files, name):
			whose = "yours, in addition to the theme's"
		case slices.Contains(own, name):
			whose = "yours, in place of the theme's"
		}
		fmt.Fprintf(table, "%s\t%s\n", name, whose)
	}
	return table.Flush()
}

// ownFiles returns the names of the site's templates, or nil if the site has no templates folder.
func ownFiles(root string) (names []string, err error) {
	err = fs.WalkDir(os.DirFS(root), folder.Templates, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == folder.Templates:
			return nil
		case err == nil && !entry.IsDir() && !folder.Ignored(entry.Name()):
			names = append(names, strings.TrimPrefix(name, folder.Templates+"/"))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the site's templates: %w", err)
	}
	return names, nil
}

// exportTheme copies the theme's files that match names to the site. It writes either all of them or none, and never
// overwrites a file.
func exportTheme(stdout io.Writer, root string, files, names []string) error {
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(folder.Content), "site.yaml")); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s does not contain content/site.yaml; specify the site folder with --root", root)
	}
	var wanted []string
	for _, name := range names {
		found, err := matching(files, name)
		if err != nil {
			return err
		}
		wanted = append(wanted, found...)
	}
	slices.Sort(wanted)
	var out []scaffold.File
	for _, name := range slices.Compact(wanted) {
		body, err := fs.ReadFile(templates.FS, name)
		if err != nil {
			return fmt.Errorf("reading the theme: %w", err)
		}
		out = append(out, scaffold.File{Name: path.Join(folder.Templates, name), Body: body})
	}
	if err := writeBelow(root, out); err != nil {
		return err
	}
	for _, f := range out {
		if _, err := fmt.Fprintf(stdout, "wrote %s\n", filepath.Join(root, filepath.FromSlash(f.Name))); err != nil {
			return err
		}
	}
	return nil
}

// matching returns the files that match name: a file, a folder, or a pattern such as layouts/*.html. It returns an
// error if no file matches.
func matching(files []string, name string) (found []string, err error) {
	name = strings.TrimPrefix(path.Clean(filepath.ToSlash(name)), folder.Templates+"/")
	for _, f := range files {
		// A pattern that matches a folder selects all files in it.
		for part := f; part != "."; part = path.Dir(part) {
			hit, err := path.Match(name, part)
			if err != nil {
				return nil, fmt.Errorf("%q is not a file pattern: %w", name, err)
			}
			if hit {
				found = append(found, f)
				break
			}
		}
	}
	if found == nil {
		hint := "run vitrine theme list to see its files"
		if near := suggest.Nearest(name, files); near != "" {
			hint = "did you mean " + near + "?"
		}
		return nil, fmt.Errorf("the theme has no %s; %s", name, hint)
	}
	return found, nil
}
