//go:build linux

package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"vitrine/internal/lab/bench/corpus"
)

// magickScript makes copies with ImageMagick.
//
//go:embed magick.sh
var magickScript string

// maker is a program that makes copies of photographs.
type maker struct {
	name string
	// write writes the program's site to root.
	write func(root string) error
	// command returns the command that writes the copies to the folder out. It is run like a generator's command.
	command func(ctx context.Context, s *suite, root, out string) *exec.Cmd
	root    string
}

func (m *maker) generator() generator { return generator{name: m.name, command: m.command} }

// makers returns vitrine and the programs to compare it with, or an error if one is missing.
func (p *photographs) makers() ([]*maker, error) {
	magick, err := p.photoPrograms()
	if err != nil {
		return nil, err
	}
	settings := photoCopies()
	none := func(string) error { return nil }
	return []*maker{
		{name: "vitrine", write: func(root string) error {
			return corpus.WriteVitrinePhotos(root, p.folder, corpus.PhotoPosts(p.count, seed))
		}, command: vitrine().command},
		{name: "Hugo", write: func(root string) error {
			return corpus.WriteHugoPhotos(root, p.folder, corpus.PhotoPosts(p.count, seed), settings)
		}, command: hugo().command},
		{name: "sharp", write: none, command: func(ctx context.Context, s *suite, _, out string) *exec.Cmd {
			arguments := []string{s.sharpScript, p.folder, out, strconv.Itoa(settings.Quality), strconv.Itoa(settings.Method)}
			return exec.CommandContext(ctx, s.nodeProgram, append(arguments, digits(settings.Widths)...)...)
		}},
		{name: "ImageMagick", write: none, command: func(ctx context.Context, _ *suite, _, out string) *exec.Cmd {
			return exec.CommandContext(ctx, "sh", "-c", magickScript, "magick", magick, p.folder, out,
				strconv.Itoa(settings.Quality), strconv.Itoa(settings.Method), strings.Join(digits(settings.Widths), " "))
		}},
	}, nil
}

// photoPrograms returns the path of ImageMagick. It returns an error if ImageMagick, Hugo, or sharp is missing.
func (p *photographs) photoPrograms() (magick string, err error) {
	if p.hugoProgram == "" {
		return "", fmt.Errorf("the photographs require Hugo; run \"make bench-tools\"")
	}
	if _, err := os.Stat(p.sharpScript); err != nil {
		return "", fmt.Errorf("the photographs require sharp; run \"make bench-tools\": %w", err)
	}
	// Version 7 is a single program. Debian also installs version 6 under the name of its variant.
	for _, name := range []string{"magick", "convert-im6.q16"} {
		if magick, err = exec.LookPath(name); err == nil {
			return magick, nil
		}
	}
	return "", fmt.Errorf("the photographs require ImageMagick; run \"make bench-tools\", or run \"apt-get install imagemagick\" as root: %w", err)
}

// digits formats numbers as command arguments.
func digits(numbers []int) (all []string) {
	for _, n := range numbers {
		all = append(all, strconv.Itoa(n))
	}
	return all
}
