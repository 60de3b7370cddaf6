package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"vitrine/internal/schema"
)

// declareSchema declares schema, which prints one JSON Schema or writes all of them to a folder.
func declareSchema(flags *flag.FlagSet) action {
	out := flags.String("out", "", "write every schema into this `folder`, replacing existing files")
	return func(_ context.Context, arguments []string, stdout, stderr io.Writer) error {
		name := ""
		if len(arguments) > 0 && !strings.HasPrefix(arguments[0], "-") {
			name, arguments = arguments[0], arguments[1:]
		}
		if err := parseFlags(flags, arguments); err != nil {
			return err
		}
		switch {
		case *out != "" && name == "":
			return writeSchemas(*out)
		case name == "" || *out != "":
			return usageError(flags, "vitrine schema needs one of %s, or --out with a folder", strings.Join(schema.Names(), ", "))
		}
		body, err := schema.Write(name)
		if err != nil {
			return usageError(flags, "%v; want one of %s", err, strings.Join(schema.Names(), ", "))
		}
		_, err = stdout.Write(body)
		return err
	}
}

func writeSchemas(folder string) error {
	files, err := schema.Files()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("creating the folder for the schemas: %w", err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(f.Path)), f.Body, 0o666); err != nil {
			return fmt.Errorf("writing a schema: %w", err)
		}
	}
	return nil
}
