//go:build unix

package build

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/site"
)

// secret is in every file that a malicious pull request tries to publish.
const secret = "TOP-SECRET-9d1e"

// try is an attack in a malicious pull request, which adds files and symbolic links. inside marks an attempt that uses
// only files that the site may show. It is harmless, so the build publishes these files.
type try struct {
	links, files map[string]string
	do           func(root string) error
	inside       bool
	// at is the path of the expected problem. If it is "", there may be a problem with any path, or none.
	at string
}

func link(name, target string) try {
	return try{links: map[string]string{name: target}, at: name}
}

func write(name, text string) try { return try{files: map[string]string{name: text}} }

// A malicious pull request can publish only its own content. Whatever links, names, references, and templates it
// contains, no other data on the machine appears in the build or in messages.
func TestBuildIsolation(t *testing.T) {
	t.Setenv("SECRET", secret)
	for name, c := range map[string]try{
		"a link within content":              {links: map[string]string{"content/b.png": "images/a.png"}, inside: true},
		"a folder within content":            {links: map[string]string{"content/more": "images"}, inside: true},
		"out of content and back":            {links: map[string]string{"content/b.png": "../content/images/a.png"}, inside: true},
		"git's settings":                     link("content/a.txt", "../.git/config"),
		"the environment":                    link("content/a.txt", "../.env"),
		"the environment as a page":          link("content/a.md", "../.env"),
		"the environment as an image":        link("content/a.png", "../.env"),
		"under static":                       link("content/static/a.txt", "../../.env"),
		"another file of the root":           link("content/a.txt", "../private/key.pem"),
		"another file, by its absolute path": {do: absolute("content/a.pdf", "private/key.pem"), at: "content/a.pdf"},
		"users":                              link("content/a.txt", "/etc/passwd"),
		"users, by a long relative path":     link("content/a.txt", strings.Repeat("../", 40)+"etc/passwd"),
		"next to the site":                   link("content/a.txt", "../../beside.txt"),
		"a device":                           link("content/a.txt", "/dev/zero"),
		"the program's own memory":           link("content/a.txt", "/proc/self/environ"),
		"a chain":                            {links: map[string]string{"content/a.txt": "b", "content/b": "images/c", "content/images/c": "../../.env"}, at: "content/a.txt"},
		"a chain through a folder":           {links: map[string]string{"content/up": "..", "content/a.txt": "up/.env"}, at: "content/a.txt"},
		"a chain outside":                    {links: map[string]string{"shared": ".git", "content/a.txt": "../shared/config"}, at: "content/a.txt"},
		"git's folder":                       link("content/git", "../.git"),
		"the root":                           link("content/up", ".."),
		"a folder of the root":               link("content/private", "../private"),
		"a folder in the linked folder":      {links: map[string]string{"content/up": "images/..", "content/images/git": "../../.git"}, at: "content/images/git"},
		"well-known files":                   link("content/static/.well-known", "../../.git"),
		"hidden in content":                  {files: map[string]string{"content/.hidden/key": secret}, links: map[string]string{"content/a.txt": ".hidden/key"}, at: "content/a.txt"},
		"hidden in content, a folder":        {files: map[string]string{"content/.hidden/key": secret}, links: map[string]string{"content/a": ".hidden"}, at: "content/a"},
		"a backup file in content":           {files: map[string]string{"content/key~": secret}, links: map[string]string{"content/a.txt": "key~"}, at: "content/a.txt"},
		"all of content":                     {do: replace("content", ".git"), at: "content"},
		"all of content, elsewhere":          {do: replace("content", "private"), at: "content"},
		"all of the templates":               link("templates", ".git"),
		"facts":                              {do: replace("content/product.yaml", "../.env"), at: "content/product.yaml"},
		"settings":                           {do: replace("content/site.yaml", "../.env"), at: "content/site.yaml"},
		"a layout":                           link("templates/layouts/page.html", "../../.env"),
		"a partial":                          link("templates/partials/footer.html", "../../private/key.pem"),
		"a text":                             link("templates/text/robots.txt", "/etc/passwd"),
		"an asset":                           link("templates/assets/a.css", "../../.git/config"),
		"a page of the theme":                link("templates/pages/404.md", "../../.env"),
		"a font of the cards":                link("templates/social/regular.ttf", "../../.env"),
		"layouts":                            link("templates/layouts", "../.git"),
		"a page in the templates":            link("templates/text/robots.txt", "../../content/index.md"),
		"a template in the pages":            {files: map[string]string{"templates/text/llms.txt": "x"}, links: map[string]string{"content/a.txt": "../templates/text/llms.txt"}, at: "content/a.txt"},
		"a Markdown link":                    write("content/a.md", "# A\n\n[x](../.env) [y](/.env) [z](../.git/config)\n"),
		"a Markdown image":                   write("content/a.md", "# A\n\n![x](../private/key.pem) ![y](file:///etc/passwd)\n"),
		"a Markdown image, encoded":          write("content/a.md", "# A\n\n![x](..%2f.env) ![x](%2e%2e/.env) ![y](..\\\\.env)\n"),
		"an image in front matter":           write("content/a.md", "---\ntitle: A\nimage: ../.env\n---\nA.\n"),
		"an image by its path":               write("content/a.md", "---\ntitle: A\nimage: /../.env\n---\nA.\n"),
		"an alias":                           write("content/a.md", "---\ntitle: A\naliases: [/../.env, /.env]\n---\nA.\n"),
		"a slug":                             write("content/a.md", "---\ntitle: A\nslug: ../../x\n---\nA.\n"),
		"a layout by its path":               write("content/a.md", "---\ntitle: A\nlayout: ../../.env\n---\nA.\n"),
		"an include":                         write("templates/layouts/page.html", "{{template \"../../.env\"}}"),
		"unsupported include functions":      write("templates/layouts/page.html", "{{include \"../.env\"}}{{readFile \"../.env\"}}"),
		"the environment of the build":       write("templates/layouts/page.html", "{{env \"SECRET\"}}"),
		"the site's fields":                  write("templates/text/robots.txt", "{{printf \"%#v\" .}}"),
		"a name with dots":                   write("content/..%2f.env.md", "# A\n"),
		"a name with backslashes":            write("content/..\\.env.md", "# A\n"),
		"a name with a line break":           write("content/a\n.env.md", "# A\n"),
		"a long name":                        write("content/"+strings.Repeat("a", 250)+".md", "# A\n"),
		"a named pipe":                       {do: func(root string) error { return pipe(filepath.Join(root, "content/a.txt")) }, at: "content/a.txt"},
		"a link to a named pipe": {do: func(root string) error {
			return errors.Join(pipe(filepath.Join(root, "content/a.txt")), os.Symlink("a.txt", filepath.Join(root, "content/b.txt")))
		}, at: "content/b.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			root := strangersSite(t)
			if err := c.make(root); err != nil {
				t.Fatal(err)
			}
			out := t.TempDir()
			ended := make(chan struct{})
			var problems []site.Problem
			var err error
			go func() {
				defer close(ended)
				_, problems, err = Build(t.Context(), Source{Root: root, NoSocialImages: true}, Output{Out: out}, Observer{})
			}()
			select {
			case <-ended:
			case <-time.After(time.Minute):
				t.Fatal("the build does not end")
			}
			told, located := "", c.at == ""
			for _, p := range problems {
				told += p.String() + "\n"
				located = located || p.Path == c.at && p.Severity == site.Error
			}
			if err != nil {
				told += err.Error()
			}
			if !located {
				t.Errorf("no error at %s, but\n%s", c.at, told)
			}
			if (site.HasErrors(problems) || err != nil) == c.inside && (c.inside || c.at != "") {
				t.Errorf("published or not, the other way round:\n%s", told)
			}
			if strings.Contains(told, secret) {
				t.Errorf("what is reported has the secret:\n%s", told)
			}
			holdsNoSecret(t, out)
		})
	}
}

func (c try) make(root string) error {
	var failed []error
	at := func(name string) string {
		local := filepath.Join(root, filepath.FromSlash(name))
		failed = append(failed, os.MkdirAll(filepath.Dir(local), 0o777))
		return local
	}
	for name, text := range c.files {
		failed = append(failed, os.WriteFile(at(name), []byte(text), 0o666))
	}
	for name, target := range c.links {
		failed = append(failed, os.Symlink(target, at(name)))
	}
	if c.do != nil {
		failed = append(failed, c.do(root))
	}
	return errors.Join(failed...)
}

// replace replaces a file with a symbolic link.
func replace(name, target string) func(root string) error {
	return func(root string) error {
		return errors.Join(os.RemoveAll(filepath.Join(root, name)), os.Symlink(target, filepath.Join(root, name)))
	}
}

// absolute creates a symbolic link to the absolute path of a file in the site.
func absolute(name, target string) func(root string) error {
	return func(root string) error {
		return os.Symlink(filepath.Join(root, target), filepath.Join(root, name))
	}
}

// strangersSite returns a site on a machine that also has secret files, which the build must not read.
func strangersSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root := filepath.Join(dir, "site")
	writeSite(t, root)
	for name, text := range map[string]string{
		"beside.txt": secret, "site/.env": "KEY=" + secret, "site/.git/config": "[core] # " + secret, "site/private/key.pem": secret,
		"site/content/images/a.png": "no image",
	} {
		local := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(local), 0o777), os.WriteFile(local, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// holdsNoSecret checks that a build contains no symbolic links and that none of its files contains secret or the first
// line of /etc/passwd. The build must not be compressed.
func holdsNoSecret(t *testing.T, out string) {
	t.Helper()
	users, err := os.ReadFile("/etc/passwd")
	first, _, _ := bytes.Cut(users, []byte("\n"))
	err = errors.Join(err, filepath.WalkDir(out, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			t.Errorf("the build has a symbolic link, %s", name)
		}
		text, err := os.ReadFile(name)
		if bytes.Contains(text, []byte(secret)) || len(first) > 0 && bytes.Contains(text, first) {
			t.Errorf("%s holds what it must not", name)
		}
		return err
	}))
	if err != nil && !errors.Is(err, syscall.ENOENT) {
		t.Fatal(err)
	}
}
