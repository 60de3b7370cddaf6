// Command plot draws the tables of a benchmark run. Each table that contains ratios and follows a heading becomes an
// SVG image.
//
//	go run ./internal/lab/bench/plot -run 1 -dir internal/lab/bench/results/plots tables.md
//
// It adds a reference to each image to the file, above the table.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

func main() {
	dir := flag.String("dir", "internal/lab/bench/results/plots", "the `folder` for the images; the document refers to its last path element")
	run := flag.String("run", "1", "the `name` of the run, a suffix of the image files")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "plot: specify one file with tables")
		os.Exit(2)
	}
	if err := draw(flag.Arg(0), *dir, *run); err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(1)
	}
}

// draw writes images of the tables in file to dir, replacing the previous run's images, and adds references to file.
func draw(file, dir, run string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading the tables: %w", err)
	}
	document, images := illustrate(string(text), path.Base(filepath.ToSlash(dir)), run)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("creating the image folder: %w", err)
	}
	old, err := filepath.Glob(filepath.Join(dir, "*-"+run+".svg"))
	if err != nil {
		return fmt.Errorf("listing the previous run's images: %w", err)
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			return fmt.Errorf("removing an image of the previous run: %w", err)
		}
	}
	for name, image := range images {
		if err := os.WriteFile(filepath.Join(dir, name), image, 0o666); err != nil {
			return fmt.Errorf("writing an image: %w", err)
		}
	}
	return os.WriteFile(file, []byte(document), 0o666)
}

// illustrate returns document with a reference to an image above each drawable table, and the images, keyed by name.
func illustrate(document, folder, run string) (string, map[string][]byte) {
	images := make(map[string][]byte)
	var out strings.Builder
	title := ""
	lines := strings.SplitAfter(document, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\n")
		if heading, ok := strings.CutPrefix(line, "#### "); ok {
			title = heading
		}
		if !strings.HasPrefix(line, "|") {
			if strings.HasPrefix(line, "![") { // an image from an earlier run
				i++ // skip the empty line after it
				continue
			}
			out.WriteString(lines[i])
			continue
		}
		end := i
		for end < len(lines) && strings.HasPrefix(lines[end], "|") {
			end++
		}
		if p := read(title, lines[i:end]); len(p.rows) > 0 && title != "" {
			name := slug(title) + "-" + run + ".svg"
			images[name] = p.svg()
			fmt.Fprintf(&out, "![%s: the ratios of the table below](%s/%s)\n\n", title, folder, name)
			title = "" // a second table would have the same name
		}
		out.WriteString(strings.Join(lines[i:end], ""))
		i = end - 1
	}
	return out.String(), images
}

// slug converts a title for use in a file name.
func slug(title string) string {
	var b bytes.Buffer
	for _, c := range strings.ToLower(title) {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && b.Bytes()[b.Len()-1] != '-':
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}
