package corpus

import (
	"embed"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

// trees contains the files that each generator needs in addition to the posts: settings and layouts.
//
//go:embed vitrine hugo eleventy
var trees embed.FS

// Options selects the features of a site.
type Options struct {
	// Highlight enables highlighted code, Images enables a social image for each page, and Search enables a search
	// index.
	Highlight, Images, Search bool
}

// WriteVitrine writes the posts as a Vitrine site to root.
func WriteVitrine(root string, posts iter.Seq[Post], o Options) error {
	settings := "\n"
	if !o.Highlight {
		settings += "highlight: false\n"
	}
	if !o.Images {
		settings += "social: {images: false}\n"
	}
	if !o.Search {
		settings += "search: false\n"
	}
	return write(root, "vitrine", posts, "content/site.yaml", settings)
}

// WriteHugo writes the posts as a Hugo site to root.
func WriteHugo(root string, posts iter.Seq[Post], o Options) error {
	settings := fmt.Sprintf("\n[markup.highlight]\n  codeFences = %t\n  noClasses = false\n", o.Highlight)
	return write(root, "hugo", posts, "hugo.toml", settings)
}

// WriteEleventy writes the posts as an Eleventy site to root. Eleventy's Markdown renderer doesn't highlight code.
func WriteEleventy(root string, posts iter.Seq[Post]) error {
	return write(root, "eleventy", posts, "", "")
}

// write copies a generator's tree, adds lines to its settings file, and writes the posts.
func write(root, generator string, posts iter.Seq[Post], settings, lines string) error {
	tree, err := fs.Sub(trees, generator)
	if err != nil {
		return fmt.Errorf("finding the layouts of %s: %w", generator, err)
	}
	if err := os.CopyFS(root, tree); err != nil {
		return fmt.Errorf("writing the layouts of %s: %w", generator, err)
	}
	if settings != "" {
		if err := appendTo(filepath.Join(root, settings), lines); err != nil {
			return fmt.Errorf("writing the settings of %s: %w", generator, err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(PostFile(root, "")), 0o777); err != nil {
		return fmt.Errorf("writing the corpus: %w", err)
	}
	for p := range posts {
		if err := WritePost(root, p); err != nil {
			return err
		}
	}
	return nil
}

// WritePost writes one post into the site at root, for any generator.
func WritePost(root string, p Post) error {
	if err := os.WriteFile(PostFile(root, p.Name), []byte(p.Source()), 0o666); err != nil {
		return fmt.Errorf("writing a post: %w", err)
	}
	return nil
}

// PostFile returns the path of the named post in the site at root.
func PostFile(root, name string) string {
	return filepath.Join(root, "content", "blog", name+".md")
}

func appendTo(path, text string) (err error) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(text); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}
