package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"vitrine/internal/lsp"
)

// runLSP speaks the Language Server Protocol with an editor, over stdin and stdout.
func runLSP(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
	flags := newFlags("lsp", "", stderr)
	// Editors' libraries name the way that is the only one here.
	flags.Bool("stdio", true, "use stdin and stdout, the only way there is")
	if err := parseFlags(flags, arguments); err != nil {
		return err
	}
	if err := lsp.New(os.Stdin, stdout, version(), slog.New(slog.NewTextHandler(stderr, nil))).Run(ctx); err != nil {
		return fmt.Errorf("speaking with the editor: %w", err)
	}
	return nil
}
