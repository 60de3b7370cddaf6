package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
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
	"time"

	"vitrine/internal/build"
	"vitrine/internal/edge/config"
	"vitrine/internal/load"
	"vitrine/internal/scaffold"
	"vitrine/internal/schema"
	"vitrine/internal/site"
)

// newArguments contains the arguments of new and the values of its flags.
type newArguments struct {
	flags *flag.FlagSet
	what  string
	name  string
	root  string
	title string
	date  string
	// start is the example to start from, one of scaffold.Starts, or "" for a plain site.
	start string
	// release is the release of Vitrine that the site's deploy files use.
	release scaffold.Release
	// sums is the path of the file that contains the checksums of the release, or "" if unset.
	sums string
}

// declareNew declares new, which creates a page, an article, a site, or a site's content editor.
func declareNew(flags *flag.FlagSet) action {
	a := &newArguments{flags: flags}
	flags.StringVar(&a.root, "root", ".", "the site's `folder`; for a new site, the folder to create it in")
	flags.StringVar(&a.title, "title", "", "the `title`, if NAME is a path")
	flags.StringVar(&a.date, "date", "", "post: the article's `date`, such as 2026-12-24 (default today)")
	flags.StringVar(&a.start, "start", "", "site: start from an `example`, one of "+strings.Join(scaffold.Starts(), ", ")+" (default a plain site)")
	flags.StringVar(&a.release.Version, "release", released(), "site: the `version` of Vitrine that the site's deploy files use")
	flags.StringVar(&a.release.Repository, "repository", scaffold.Repository, "site: the `owner/name` of the repository that publishes Vitrine's releases")
	flags.StringVar(&a.sums, "sums", "", "site: the release's SHA256SUMS `file`, so that downloads are also pinned by checksum")
	return func(ctx context.Context, arguments []string, stdout, _ io.Writer) error {
		if err := a.parse(arguments); err != nil {
			return err
		}
		switch a.what {
		case "page":
			return a.page(ctx, stdout)
		case "post":
			return a.post(ctx, stdout)
		case "site":
			return a.site(stdout)
		}
		return a.admin(stdout)
	}
}

func newKinds() []string { return []string{"page", "post", "site", "admin"} }

// parse parses the kind of the new item, its name, and the flags before and after the name. The kind must be first.
func (a *newArguments) parse(arguments []string) error {
	if len(arguments) == 0 || strings.HasPrefix(arguments[0], "-") {
		if err := parseFlags(a.flags, arguments); err != nil {
			return err
		}
		return usageError(a.flags, "vitrine new needs a kind (%s) and a name", strings.Join(newKinds(), ", "))
	}
	a.what = arguments[0]
	if !slices.Contains(newKinds(), a.what) {
		return usageError(a.flags, "unknown kind %q; want one of %s", a.what, strings.Join(newKinds(), ", "))
	}
	for rest := arguments[1:]; ; rest = a.flags.Args()[1:] {
		if err := parse(a.flags, rest); err != nil {
			return err
		}
		if a.flags.NArg() == 0 {
			break
		}
		if a.name != "" {
			return usageError(a.flags, "vitrine new takes one name; put quotes around %q", a.name+" "+a.flags.Arg(0))
		}
		a.name = a.flags.Arg(0)
	}
	if strings.TrimSpace(a.name) == "" {
		return usageError(a.flags, "vitrine new %s needs a name", a.what)
	}
	return nil
}

// isPath reports whether name is a path rather than a title: "docs/setup" is a path, and "A/B testing" is a title.
func isPath(name string) bool {
	switch {
	case filepath.IsAbs(name), strings.HasPrefix(name, "/"), strings.HasPrefix(name, "."), strings.HasSuffix(name, ".md"):
		return true
	}
	return strings.ContainsAny(name, `/\`) && !strings.Contains(name, " ")
}

// place returns the name of the new page's file under content/, without ".md", and the page's title. Without --title,
// the title is a.name or, if a.name is a path, is derived from it.
func (a *newArguments) place() (name, title string, err error) {
	if !isPath(a.name) {
		slug := scaffold.Slug(a.name)
		if slug == "" {
			return "", "", fmt.Errorf("%q has no letters or digits for a path; specify a path, and the title with --title", a.name)
		}
		return slug, cmp.Or(a.title, strings.TrimSpace(a.name)), nil
	}
	name = strings.TrimPrefix(filepath.ToSlash(a.name), "./")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "/"), "content/")
	name = strings.TrimSuffix(name, ".md")
	if problem := load.NameProblem(name); problem != "" {
		return "", "", fmt.Errorf("%q cannot be used as a page path: %s", a.name, problem)
	}
	return name, cmp.Or(a.title, scaffold.Title(path.Base(strings.TrimSuffix(name, "/index")))), nil
}

// page creates a page other than an article.
func (a *newArguments) page(ctx context.Context, stdout io.Writer) error {
	name, title, err := a.place()
	if err != nil {
		return err
	}
	if strings.HasPrefix(name, "blog/") {
		return fmt.Errorf("pages in blog/ are articles; run vitrine new post %q", a.name)
	}
	address := "/" + name
	if path.Base(name) == "index" {
		address = path.Dir(address)
	}
	return a.begin(ctx, stdout, address, func(*site.Site, time.Time) (scaffold.File, error) {
		return scaffold.Page(name, title), nil
	}, "write its description and text, then run vitrine check")
}

// post creates an article with the same author as the newest article; see lastAuthor.
func (a *newArguments) post(ctx context.Context, stdout io.Writer) error {
	name, title, err := a.place()
	if err != nil {
		return err
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "blog/"), "/index")
	return a.begin(ctx, stdout, "/blog/"+name, func(s *site.Site, now time.Time) (scaffold.File, error) {
		day := now.In(s.Config.Location)
		if a.date != "" {
			if day, err = time.ParseInLocation(time.DateOnly, a.date, s.Config.Location); err != nil {
				return scaffold.File{}, fmt.Errorf("--date: want a date such as 2026-12-24, found %q", a.date)
			}
		}
		return scaffold.Article(name, title, lastAuthor(s), day), nil
	}, `write its description and text, remove "draft: true", then run vitrine check`)
}

// begin writes the file of a new page, which the function file returns. It fails if another page already has the URL
// path address. next is the user's next step, which begin prints.
func (a *newArguments) begin(ctx context.Context, stdout io.Writer, address string, file func(*site.Site, time.Time) (scaffold.File, error), next string) error {
	if _, err := os.Stat(filepath.Join(a.root, "content", "site.yaml")); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s does not contain content/site.yaml; specify the site folder with --root, or create a site with vitrine new site", a.root)
	}
	// Ignore the site's problems: vitrine check reports them.
	s, _, err := build.Load(ctx, a.root)
	if err != nil {
		return err
	}
	for _, p := range slices.Concat(s.Pages, s.Withheld) {
		if strings.EqualFold(p.Path, address) {
			return fmt.Errorf("%s is already the address of %s; choose another name", p.Path, p.Source)
		}
	}
	f, err := file(s, s.Now)
	if err != nil {
		return err
	}
	if err := writeBelow(a.root, []scaffold.File{f}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "wrote %s\nnext: %s\n", filepath.Join(a.root, filepath.FromSlash(f.Name)), next)
	return err
}

// lastAuthor returns the first author of the newest article that has authors, or "" if no article has any.
func lastAuthor(s *site.Site) string {
	var last *site.Page
	for _, p := range s.Pages {
		if p.IsPost() && len(p.Authors) > 0 && (last == nil || p.Date.After(last.Date)) {
			last = p
		}
	}
	if last == nil {
		return ""
	}
	return last.Authors[0].Target
}

// site creates a site in a folder, which may already exist.
func (a *newArguments) site(stdout io.Writer) error {
	folder := a.name
	if !isPath(a.name) {
		if folder = scaffold.Slug(a.name); folder == "" {
			return fmt.Errorf("%q has no letters or digits for a folder name; specify a path, and the title with --title", a.name)
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
				return fmt.Errorf("determining the absolute path of the site's folder: %w", err)
			}
			title = scaffold.Title(filepath.Base(whole))
		}
	}
	if a.start != "" && !slices.Contains(scaffold.Starts(), a.start) {
		return fmt.Errorf("--start: want one of %s; found %q", strings.Join(scaffold.Starts(), ", "), a.start)
	}
	now, err := build.Now()
	if err != nil {
		return err
	}
	files, err := a.siteFiles(title, now)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("creating the site's folder: %w", err)
	}
	note, err := a.ownPackage(folder)
	if err != nil {
		return err
	}
	if note != "" {
		files = slices.DeleteFunc(files, func(f scaffold.File) bool { return f.Name == packageFile })
	}
	if err := writeBelow(folder, files); err != nil {
		return err
	}
	for _, f := range files {
		if _, err := fmt.Fprintf(stdout, "wrote %s\n", filepath.Join(folder, filepath.FromSlash(f.Name))); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(stdout, "%snext: add the facts to content/product.yaml and the address to content/site.yaml, then run vitrine preview --root %s\n", note, folder)
	return err
}

// packageFile is the file in a site's folder that lists npm packages. It exists before the site is created if Vitrine
// was installed in that folder with npm.
const packageFile = "package.json"

// ownPackage returns a line reporting that new keeps the package.json in folder, or "" if folder contains no such file.
// If the file doesn't list Vitrine, the line also contains the command that adds Vitrine.
func (a *newArguments) ownPackage(folder string) (string, error) {
	data, err := os.ReadFile(filepath.Join(folder, packageFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("reading the folder's %s: %w", packageFile, err)
	}
	var own struct {
		Dependencies, DevDependencies map[string]string
	}
	line := "kept " + filepath.Join(folder, packageFile)
	name := a.release.NPM()
	// Treat a file that isn't valid JSON as one without dependencies.
	if err := json.Unmarshal(data, &own); err != nil || own.Dependencies[name] == "" && own.DevDependencies[name] == "" {
		line += fmt.Sprintf("; run npm install %s@%s there, because netlify.toml needs it", name, a.release.Version)
	}
	return line + "\n", nil
}

// siteFiles returns the files of a new site, including the files for deploying it.
func (a *newArguments) siteFiles(title string, now time.Time) ([]scaffold.File, error) {
	if err := a.release.Check(); err != nil {
		return nil, err
	}
	if a.sums != "" {
		list, err := os.ReadFile(a.sums)
		if err != nil {
			return nil, fmt.Errorf("reading the checksums in --sums: %w", err)
		}
		if err := a.release.Sum(list); err != nil {
			return nil, fmt.Errorf("reading the checksums in --sums %s: %w", a.sums, err)
		}
	}
	files, err := scaffold.Site(a.start, title, now.UTC(), a.release)
	if err != nil {
		return nil, err
	}
	var image, ignore bytes.Buffer
	options := config.Options{Release: a.release.Version, Image: a.release.ImageName()}
	if err := errors.Join(config.Docker(&image, options), config.DockerIgnore(&ignore, options)); err != nil {
		return nil, err
	}
	return append(files, scaffold.File{Name: "Dockerfile", Body: image.Bytes()}, scaffold.File{Name: ".dockerignore", Body: ignore.Bytes()}), nil
}

func writeBelow(folder string, files []scaffold.File) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("opening the site's folder: %w", err)
	}
	return errors.Join(scaffold.Write(root, files), root.Close())
}

// An adminPart is a file of the content editor. name is its path in the site, and module is its path under
// node_modules.
type adminPart struct {
	name, module string
}

func adminParts() []adminPart {
	return []adminPart{
		{"content/static" + schema.AdminScript, "@sveltia/cms/dist/sveltia-cms.js"},
		{"content/static" + schema.AdminIcons, "@fontsource-variable/material-symbols-outlined/files/material-symbols-outlined-latin-wght-normal.woff2"},
	}
}

// admin copies the files of the content editor into the site. a.name is the path of node_modules.
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
	_, err := fmt.Fprint(stdout, "next: turn on the editor in content/site.yaml:\n\nadmin:\n  backend: {name: github, repo: owner/name, branch: main}\n")
	return err
}
