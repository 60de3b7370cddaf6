// Command record puts the tables of a run of the benchmarks together, prints
// them, and writes them into a document if one is named:
//
//	record -build build.md -serve serve.md [-run 1 docs/benchmarks.md]
//
// The document has a place for each run, between the comments
// <!-- run 1 --> and <!-- end of run 1 -->. The rest of it is written by hand.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	build := flag.String("build", "", "the `file` with the tables about builds")
	serve := flag.String("serve", "", "the `file` with the tables about servers")
	run := flag.Int("run", 0, "the `number` of the run in the document")
	flag.Parse()
	if err := record(*build, *serve, *run, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func record(build, serve string, run int, document string) error {
	built, err := os.ReadFile(build)
	if err != nil {
		return fmt.Errorf("reading the tables about builds: %w", err)
	}
	served, err := os.ReadFile(serve)
	if err != nil {
		return fmt.Errorf("reading the tables about servers: %w", err)
	}
	tables := result(string(built), string(served))
	fmt.Print(tables)
	if document == "" {
		return nil
	}
	text, err := os.ReadFile(document)
	if err != nil {
		return fmt.Errorf("reading the document: %w", err)
	}
	written, err := place(string(text), run, tables)
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	if err := os.WriteFile(document, []byte(written), 0o666); err != nil {
		return fmt.Errorf("writing the document: %w", err)
	}
	return nil
}

// result puts both halves of a run under headings.
func result(built, served string) string {
	return "### Builds\n\n" + strings.TrimSpace(built) + "\n\n### Servers\n\n" + strings.TrimSpace(served) + "\n"
}

// place returns the document with the tables of a run in their place.
func place(document string, run int, tables string) (string, error) {
	begin, end := fmt.Sprintf("<!-- run %d -->\n", run), fmt.Sprintf("<!-- end of run %d -->\n", run)
	before, rest, found := strings.Cut(document, begin)
	if !found {
		return "", fmt.Errorf("there is no place for run %d; it begins with a line %q", run, strings.TrimSpace(begin))
	}
	_, after, found := strings.Cut(rest, end)
	if !found {
		return "", errors.New("the place for the run has no end: a line " + strings.TrimSpace(end))
	}
	return before + begin + "\n" + tables + "\n" + end + after, nil
}
