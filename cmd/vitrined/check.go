package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/decide"
)

// checkBuild checks whether the server could start with these options. It reads every byte of the build, loads the
// certificate if it comes from files, and resolves the addresses. It neither listens on an address nor writes files. It
// returns the line to print on success, or an error that contains all problems.
func checkBuild(ctx context.Context, o options) (string, error) {
	name, err := checkFolder(ctx, o.dir)
	problems := []error{err}
	for _, a := range []struct{ flag, address string }{{"addr", o.addr}, {"admin", o.admin}, {"redirect-addr", o.tls.redirect}} {
		if a.address == "" {
			continue
		}
		if _, err := net.ResolveTCPAddr("tcp", a.address); err != nil {
			problems = append(problems, fmt.Errorf("--%s: %w; write it as 127.0.0.1:8080", a.flag, err))
		}
	}
	if o.tls.cert != "" {
		_, err := fromFiles(o.tls.cert, o.tls.key)
		problems = append(problems, err)
	}
	if cache := o.tls.acme.cache; cache != "" {
		if info, err := os.Stat(cache); err == nil && !info.IsDir() {
			problems = append(problems, fmt.Errorf("--acme-cache: %s is a file; specify a folder", cache))
		}
	}
	return fmt.Sprintf("build %s in %s is complete, and the flags are valid", name, o.dir), errors.Join(problems...)
}

// checkFolder reads and verifies the entire build in dir and returns the build's name.
func checkFolder(ctx context.Context, dir string) (string, error) {
	built, err := artifact.Open(dir)
	if err != nil {
		return "", err
	}
	defer built.Close()
	if err := built.VerifyInBackground(ctx); err != nil {
		return "", fmt.Errorf("verifying the build in %s: %w", dir, err)
	}
	if _, err := decide.NewSite(built); err != nil {
		return "", fmt.Errorf("preparing the build in %s: %w", dir, err)
	}
	return artifact.BuildName(built.Manifest.Build), nil
}
