package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// drainTime is the time allowed for requests in progress after an interrupt.
const drainTime = 5 * time.Second

func declareServe(flags *flag.FlagSet) action {
	var b buildFlags
	b.register(flags)
	addr := flags.String("addr", "127.0.0.1:8080", "the `address` to listen on")
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		if err := parseFlags(flags, arguments); err != nil {
			return err
		}
		if _, err := b.run(ctx, flags, stdout, stderr); err != nil {
			return err
		}
		built, err := artifact.Open(b.Out)
		if err != nil {
			return err
		}
		defer built.Close()
		site, err := decide.NewSite(built)
		if err != nil {
			return err
		}
		listener, err := net.Listen("tcp", *addr)
		if err != nil {
			return fmt.Errorf("%w; if another server uses the address, choose another address with --addr", err)
		}
		log := slog.New(slog.NewTextHandler(stderr, nil))
		handler := serve.NewHandler(site, serve.HandlerOptions{
			Allowance: decide.NewAllowance(built.Manifest.Limit, built.Manifest.Window), Log: log,
		})
		address := stdout
		if b.forPrograms() {
			address = stderr
		}
		if _, err := fmt.Fprintf(address, "serving http://%s%s/ (press Ctrl-C to stop)\n", listener.Addr(), built.Manifest.Mount); err != nil {
			return err
		}
		limited := serve.NewMemory(serve.ConnectionMemory(), log).Limit(listener, 0)
		return serve.Run(ctx, serve.NewServer(handler, log), serve.Gated(limited), drainTime)
	}
}
