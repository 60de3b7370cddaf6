// Command release makes a release of a tagged commit: the programs for every
// platform, in archives with their licences, a bill of materials for each, and
// checksums. It builds everything twice, from two checkouts in two folders, and
// ends with an error where a byte differs.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	version := flag.String("version", "", "the tag to release, such as `v1.2.3`")
	repository := flag.String("repository", ".", "the `folder` of the repository")
	out := flag.String("out", "dist", "the `folder` to write to; the release is in one of its own there")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *version, *repository, *out); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, version, repository, out string) error {
	temporary, err := os.MkdirTemp("", "vitrine-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	r := release{version: version, temporary: temporary, out: filepath.Join(out, version)}
	if err := r.checkOut(ctx, repository); err != nil {
		return err
	}
	if err := r.make(ctx); err != nil {
		return err
	}
	return r.sums()
}
