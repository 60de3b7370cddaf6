// Command material writes the files that accompany a release, for goreleaser:
//
//	material -licenses FILE           the licenses of all modules
//	material -bom FILE -of PROGRAM    the bill of materials of a built program
package main

import (
	"context"
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"vitrine/internal/lab/supply"
)

func main() {
	licenses := flag.String("licenses", "", "write the licenses to a `file`")
	bom := flag.String("bom", "", "write a bill of materials to a `file`")
	program := flag.String("of", "", "the built `program` to describe")
	flag.Parse()
	ctx := context.Background()
	var err error
	if *licenses != "" {
		err = writeLicenses(ctx, *licenses)
	}
	if err == nil && *bom != "" {
		err = writeBill(ctx, *bom, *program)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "material:", err)
		os.Exit(1)
	}
}

func writeLicenses(ctx context.Context, file string) error {
	var modules []supply.Module
	for _, p := range supply.Platforms() {
		more, err := supply.Modules(ctx, ".", p.Environment(), "vitrine/cmd/vitrine", "vitrine/cmd/vitrined")
		if err != nil {
			return err
		}
		modules = supply.Merged(modules, more)
	}
	texts, err := supply.LicenseTexts(modules)
	if err != nil {
		return err
	}
	data, err := supply.DataLicenses(".")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(texts+data), 0o666)
}

func writeBill(ctx context.Context, file, program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	modules, err := supply.ModulesOf(ctx, ".", info)
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	bill, err := supply.BillOfMaterials(info, modules)
	if err != nil {
		return err
	}
	return os.WriteFile(file, bill, 0o666)
}
