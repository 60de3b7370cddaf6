//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/jpeg" // for image.DecodeConfig
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	_ "golang.org/x/image/webp" // for image.DecodeConfig

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/photo"
)

// compared is the number of photographs that are compared with their copies.
const compared = 20

// copyOf identifies a copy: the number of its photograph, its format, and its width.
type copyOf struct {
	photograph int
	format     string
	width      int
}

// quality is the total size and mean likeness of the copies in one format.
type quality struct {
	bytes int64
	photo.Likeness
}

// copies contains the quality of one program's copies, keyed by format.
type copies map[string]quality

// inspect measures the copies in out. It returns an error if any copy is missing.
func (p *photographs) inspect(ctx context.Context, out string) (copies, error) {
	files, err := findCopies(out)
	if err != nil {
		return nil, err
	}
	all := make(copies)
	for i := range p.count {
		for _, format := range []string{"jpeg", "webp"} {
			for _, width := range photoCopies().Widths {
				path := files[copyOf{i, format, width}]
				info, err := os.Stat(path)
				if err != nil {
					return nil, fmt.Errorf("finding the copy of %s that is %d pixels wide and in the format %s: %w", corpus.PhotoName(i), width, format, err)
				}
				q := all[format]
				q.bytes += info.Size()
				all[format] = q
			}
		}
	}
	return all, p.compareAll(ctx, files, all)
}

// findCopies returns the paths of all copies in out. It reads a copy's format and width from its content, because each
// program names copies differently.
func findCopies(out string) (map[copyOf]string, error) {
	number := regexp.MustCompile(`photo-(\d+)`)
	files := make(map[copyOf]string)
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		found := number.FindStringSubmatch(d.Name())
		if err != nil || d.IsDir() || found == nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		config, format, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		i, err := strconv.Atoi(found[1])
		files[copyOf{i, format, config.Width}] = path
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("identifying the copies of photographs: %w", err)
	}
	return files, nil
}

// compareAll sets the mean likeness of each format in all. It compares only the first photographs, up to the number
// compared.
func (p *photographs) compareAll(ctx context.Context, files map[copyOf]string, all copies) error {
	most := min(p.count, compared)
	for i := range most {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.compareOne(i, files, all); err != nil {
			return fmt.Errorf("comparing the copies of %s: %w", corpus.PhotoName(i), err)
		}
	}
	n := float64(most * len(photoCopies().Widths))
	for format, q := range all {
		q.PSNR, q.SSIM = q.PSNR/n, q.SSIM/n
		all[format] = q
	}
	return nil
}

// compareOne adds the likeness of each copy of a photograph to the sum for its format.
func (p *photographs) compareOne(i int, files map[copyOf]string, all copies) error {
	original, err := readBrightness(filepath.Join(p.folder, corpus.PhotoName(i)))
	if err != nil {
		return err
	}
	for _, width := range photoCopies().Widths {
		reference := photo.Reference(original, width, width*photo.Height/photo.Width)
		for format, q := range all {
			copied, err := readBrightness(files[copyOf{i, format, width}])
			if err != nil {
				return err
			}
			l, err := photo.Compare(reference, copied)
			if err != nil {
				return err
			}
			q.PSNR, q.SSIM = q.PSNR+l.PSNR, q.SSIM+l.SSIM
			all[format] = q
		}
	}
	return nil
}

func readBrightness(path string) (*image.Gray, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading a copy: %w", err)
	}
	return photo.Brightness(data)
}

// each calls show for every format, in alphabetical order, and joins the results with commas.
func (c copies) each(show func(quality) string) string {
	var all []string
	for _, f := range slices.Sorted(maps.Keys(c)) {
		all = append(all, show(c[f]))
	}
	return strings.Join(all, ", ")
}
