// Command pack creates npm packages, a container image, and a Homebrew formula from the archives in goreleaser's
// folder, and writes SHA256SUMS for all files of the release:
//
//	pack [-repository OWNER/NAME] dist
package main

import (
	"flag"
	"fmt"
	"os"

	"vitrine/internal/lab/release"
	"vitrine/internal/scaffold"
)

func main() {
	repository := flag.String("repository", scaffold.Repository, "the `owner/name` on GitHub that the release is published in")
	flag.Parse()
	r, err := release.Open(flag.Arg(0), *repository)
	if err == nil {
		err = r.Pack()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}
