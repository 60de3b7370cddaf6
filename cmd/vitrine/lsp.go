package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"

	"vitrine/internal/lsp"
)

// declareLSP declares lsp, which speaks the Language Server Protocol with an editor over stdin and stdout.
func declareLSP(flags *flag.FlagSet) action {
	// Accept the flag that editors' client libraries pass.
	flags.Bool("stdio", true, "use stdin and stdout, the only transport")
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		if err := parseFlags(flags, arguments); err != nil {
			return err
		}
		if err := lsp.New(os.Stdin, stdout, version(), slog.New(slog.NewTextHandler(stderr, nil))).Run(ctx); err != nil {
			return fmt.Errorf("communicating with the editor: %w", err)
		}
		return nil
	}
}
