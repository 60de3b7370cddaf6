package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/compare"
	"vitrine/internal/deploy"
	"vitrine/internal/load"
	"vitrine/internal/verify"
	"vitrine/internal/verify/visit"
)

// runDeploy takes a build to where it is served, and ends when it is served there as it should be. Its settings are
// flags, not part of site.yaml: commands that run on machines are not for those who may edit a site's content.
func runDeploy(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
	flags := newFlags("deploy", " FOLDER|HOST:FOLDER|netlify|cloudflare [flags] [-- the platform's own]", stderr)
	var o deploy.Options
	flags.StringVar(&o.Dir, "build", "build", "the `folder` of the build that is deployed")
	flags.StringVar(&o.URL, "url", "", "the `address` where visitors have the site (default the site's own)")
	flags.StringVar(&o.Origin, "origin", "", "the `address` of vitrined itself, if a cache stands before it (default that of --url)")
	reload := flags.String("reload", systemctlReload, "the `command` that makes vitrined load the build, run on the server; empty for none")
	flags.StringVar(&o.Purge, "purge", "", "a `command` that purges caches, run on this machine after vitrined has loaded the new build; $VITRINE_BUILD names that build")
	flags.DurationVar(&o.Wait, "wait", time.Minute, "how `long` to wait until the new build answers")
	flags.BoolVar(&o.DryRun, "dry-run", false, "print the steps, and change nothing")
	indexNow := flags.Bool("indexnow", false, "print what search engines are to be told by IndexNow, against the site that answered before; site.yaml has indexNow")
	send := flags.Bool("send", false, "send what --indexnow prints, once the build answers")
	endpoint := flags.String("endpoint", compare.IndexNowEndpoint, "the `URL` that --send sends to")
	var own []string
	for i, a := range arguments {
		if a == "--" {
			arguments, own = arguments[:i], arguments[i+1:]
			break
		}
	}
	others, err := parseArguments(flags, arguments)
	switch {
	case err != nil:
		return err
	case len(others) != 1:
		return usageError(flags, "vitrine deploy takes one target: a folder, user@host:/folder, netlify or cloudflare")
	case *send && !*indexNow:
		return usageError(flags, "--send sends what --indexnow prints; say both")
	case o.Wait <= 0:
		return usageError(flags, "--wait %s is no time for a build to answer", o.Wait)
	}
	o.Target, o.Arguments = others[0], own
	switch platform := o.Target == "netlify" || o.Target == "cloudflare"; {
	case !platform && len(own) > 0:
		return usageError(flags, "what stands behind -- is for the tools of netlify and cloudflare")
	case !platform || *reload != systemctlReload:
		o.Reload = *reload
	}
	if o.Build, err = artifact.Open(o.Dir); err != nil {
		return fmt.Errorf("%w; run vitrine build first, or say with --build where the build is", err)
	}
	if err := withoutPlaceholders(o.Dir); err != nil {
		return err
	}
	defer o.Build.Close()
	// What is damaged here would be refused there.
	if err := o.Build.Verify(ctx); err != nil {
		return fmt.Errorf("verifying the build in %s: %w; run vitrine build --verify", o.Dir, err)
	}
	var snapshot *compare.Snapshot
	if o.URL == "" || *indexNow {
		if snapshot, err = compare.OfBuild(o.Build); err != nil {
			return err
		}
	}
	if o.URL == "" {
		o.URL = snapshot.Base
	}
	if o.Origin == "" {
		o.Origin = o.URL
	}
	// An address of a host alone means the site there.
	for _, address := range []*string{&o.URL, &o.Origin} {
		if plain := strings.TrimRight(*address, "/"); !strings.HasSuffix(plain, o.Build.Manifest.Mount) {
			*address = plain + o.Build.Manifest.Mount
		}
	}
	o.Report = reporter(stderr)
	if isTerminal(stderr) {
		o.Progress = stderr
	}
	o.Verify = func(ctx context.Context) error {
		report, err := verify.Run(ctx, verify.Options{URL: o.URL, Build: o.Build, Tell: o.Report})
		if err != nil {
			return err
		}
		if err := report.WriteText(stdout); err != nil {
			return err
		}
		if n := report.Count(verify.Failed); n > 0 {
			return fmt.Errorf("%d checks of %s failed; vitrine verify %s says which", n, o.URL, o.URL)
		}
		return nil
	}
	var before *compare.Snapshot
	if *indexNow {
		if before, err = answering(ctx, o.URL, snapshot, o.Report); err != nil {
			o.Report("search engines are told nothing, for what answered before cannot be read: " + err.Error())
		}
	}
	err = deploy.Run(ctx, o)
	if err == nil && before != nil {
		return tellSearch(ctx, before, snapshot, o.Dir, *send && !o.DryRun, *endpoint, stdout)
	}
	if errors.Is(err, deploy.ErrRolledBack) {
		return fmt.Errorf("%w; visitors have what they had", err)
	}
	return err
}

// answering is the state of the site that answers at an address, of which a new build is known.
func answering(ctx context.Context, address string, known *compare.Snapshot, report func(string)) (*compare.Snapshot, error) {
	v, err := visit.Open(address, visit.Options{Timeout: 10 * time.Second, Tell: report})
	if err != nil {
		return nil, err
	}
	defer v.Close()
	return compare.OfSite(ctx, v, known)
}

// systemctlReload returns when the unit of `vitrine config systemd` serves the build.
const systemctlReload = "systemctl reload vitrined"

// withoutPlaceholders rejects a build whose facts include a text that new or import wrote for the editor to replace.
func withoutPlaceholders(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, artifact.PublicDir, filepath.FromSlash(artifact.OperationPath[1:]+".json")))
	if err != nil {
		return fmt.Errorf("reading the facts of the build: %w", err)
	}
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("reading the facts of the build: %w", err)
	}
	if found := placeholderIn(document); found != "" {
		return fmt.Errorf("the build publishes the placeholder %q; run vitrine check --strict, replace what it reports, and build again", found)
	}
	return nil
}

// placeholderIn returns the first placeholder in a JSON value, or "" if there is none.
func placeholderIn(value any) string {
	switch value := value.(type) {
	case string:
		if load.Placeholder(value) {
			return value
		}
	case []any:
		for _, item := range value {
			if found := placeholderIn(item); found != "" {
				return found
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if found := placeholderIn(value[key]); found != "" {
				return found
			}
		}
	}
	return ""
}
