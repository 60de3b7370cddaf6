package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/bucket"
	"vitrine/internal/compare"
	"vitrine/internal/deploy"
	"vitrine/internal/edge/platform"
	"vitrine/internal/verify"
	"vitrine/internal/verify/visit"
)

// deployFlags contains the values of deploy's flags.
type deployFlags struct {
	deploy.Options
	reload         string
	rollback       string
	status         bool
	indexNow, send bool
	endpoint       string
	quiet          quiet
}

// declareDeploy declares deploy, which copies a build to its target and waits until the build is served correctly. Its
// settings are flags instead of keys in site.yaml, because editors of a site's content must not be able to run commands
// on servers.
func declareDeploy(flags *flag.FlagSet) action {
	var d deployFlags
	flags.StringVar(&d.Dir, "build", "build", "the `folder` of the build to deploy")
	flags.StringVar(&d.URL, "url", "", "the `address` that visitors use (default the site's address; for a bucket, no address and no verification)")
	flags.StringVar(&d.Origin, "origin", "", "the `address` of vitrined itself, if a cache is in front of vitrined (default the same as --url)")
	flags.StringVar(&d.reload, "reload", systemctlReload, "the `command` to run on the server so that vitrined loads the build; set it to an empty value to run no command")
	flags.StringVar(&d.Purge, "purge", "", "a `command` that purges caches; vitrine deploy runs it on this machine after vitrined has loaded the new build, and $VITRINE_BUILD names that build")
	flags.DurationVar(&d.Wait, "wait", time.Minute, "the maximum `duration` to wait for the site to serve the new build, or for another deploy to end")
	flags.BoolVar(&d.DryRun, "dry-run", false, "print the steps without changing anything")
	flags.BoolVar(&d.status, "status", false, "print the builds in a folder, on a host, or in a bucket, and the result of the last deploy, without deploying")
	flags.IntVar(&d.Keep, "keep", 1, "the `number` of previous builds to keep in a bucket, for rollbacks and for servers that still read them")
	flags.StringVar(&d.rollback, "rollback", "", "roll back to this `build` in the bucket without uploading anything; use the name of a build, or previous")
	flags.BoolVar(&d.Edge, "edge", false, "also upload the table of addresses that the Worker from vitrine config r2 reads")
	records := flags.Bool("records", true, "upload the build's records to a bucket, so that vitrine build --since s3://bucket/prefix can use the build as its base")
	flags.BoolVar(&d.indexNow, "indexnow", false, "print the IndexNow requests that report changed pages to search engines; site.yaml must contain indexNow")
	flags.BoolVar(&d.send, "send", false, "send the requests that --indexnow prints, after the build is served")
	flags.StringVar(&d.endpoint, "endpoint", compare.IndexNowEndpoint, "the IndexNow `URL` to which --send sends requests")
	d.quiet.register(flags)
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		if err := d.parse(flags, arguments); err != nil {
			return err
		}
		d.quiet = d.quiet && !quiet(d.DryRun) // a dry run prints its steps even with --quiet
		d.NoRecords = !*records
		d.Report = reporter(d.quiet.notes(stderr))
		switch {
		case d.status:
			return d.printStatus(ctx, stdout)
		case d.rollback != "":
			d.Origin = cmp.Or(d.Origin, d.URL)
			return deploy.Rollback(ctx, d.Options, d.rollback)
		}
		return d.run(ctx, stdout, stderr)
	}
}

// deployTargets returns the kinds of targets that deploy accepts, separated by bars, for the command's usage.
func deployTargets() string {
	return strings.Join(append([]string{"FOLDER", "HOST:FOLDER", "s3://BUCKET/PREFIX"}, platform.Names()...), "|")
}

// parse parses the arguments of deploy. It stores the arguments after "--" in d.Arguments.
func (d *deployFlags) parse(flags *flag.FlagSet, arguments []string) error {
	for i, a := range arguments {
		if a == "--" {
			arguments, d.Arguments = arguments[:i], arguments[i+1:]
			break
		}
	}
	others, err := parseArguments(flags, arguments)
	switch {
	case err != nil:
		return err
	case len(others) != 1:
		return usageError(flags, "vitrine deploy needs one target: a folder, user@host:/folder, s3://bucket/prefix, %s", strings.Join(platform.Names(), ", or "))
	case d.send && !d.indexNow:
		return usageError(flags, "--send sends the requests of --indexnow; add --indexnow, or remove --send")
	case d.Wait <= 0:
		return usageError(flags, "--wait: want a positive duration such as 1m, found %s", d.Wait)
	}
	d.Target = others[0]
	inBucket := bucket.Is(d.Target)
	switch {
	case d.rollback != "" && !inBucket:
		return usageError(flags, "--rollback works only for s3://bucket/prefix; for other targets, deploy the earlier build")
	case d.Edge && !inBucket:
		return usageError(flags, "--edge works only for s3://bucket/prefix; other targets already have the table")
	case d.Keep < 1:
		return usageError(flags, "--keep %d leaves no build to roll back to; use 1 or more", d.Keep)
	case inBucket && d.indexNow && d.URL == "":
		return usageError(flags, "--indexnow needs --url, the address that serves the bucket")
	}
	switch _, isPlatform := platform.ByName(d.Target); {
	case isPlatform && d.status:
		return usageError(flags, "--status works only for a folder, user@host:/folder, or s3://bucket/prefix; other targets list their own deploys")
	case !isPlatform && len(d.Arguments) > 0:
		return usageError(flags, "arguments after -- are allowed only for the targets %s; remove them", strings.Join(platform.Names(), " and "))
	case !isPlatform && !inBucket || d.reload != systemctlReload:
		d.Reload = d.reload
	}
	return nil
}

// printStatus prints the status of the target, such as its current build.
func (d *deployFlags) printStatus(ctx context.Context, stdout io.Writer) error {
	s, err := deploy.Status(ctx, d.Target)
	if err != nil {
		return err
	}
	return s.Write(stdout)
}

// run deploys the build. If --indexnow is set, it then prints the IndexNow requests and, with --send, sends them.
func (d *deployFlags) run(ctx context.Context, stdout, stderr io.Writer) (err error) {
	if d.Build, err = deploy.Open(ctx, d.Dir, d.Target); err != nil {
		return missingBuild(err)
	}
	defer d.Build.Close()
	if err := withoutPlaceholders(ctx, d.Build, d.Dir); err != nil {
		return err
	}
	// Check for damage before the upload, because the target would reject a damaged build only afterward.
	if err := d.Build.Verify(ctx); err != nil {
		return fmt.Errorf("verifying the build in %s: %w; run vitrine build --verify", d.Dir, err)
	}
	var snapshot *compare.Snapshot
	served := !bucket.Is(d.Target) || d.URL != ""
	if served && d.URL == "" || d.indexNow {
		if snapshot, err = compare.OfBuild(d.Build); err != nil {
			return err
		}
	}
	if served {
		d.address(snapshot)
	}
	d.Verify = d.verify(stdout)
	if isTerminal(stderr) && !bool(d.quiet) {
		d.Progress = stderr
	}
	var before *compare.Snapshot
	if d.indexNow {
		if before, err = answering(ctx, d.URL, snapshot, d.Report); err != nil {
			d.Report("skipping IndexNow, because the previously served site cannot be read: " + err.Error())
		}
	}
	switch err := deploy.Run(ctx, d.Options); {
	case errors.Is(err, deploy.ErrRolledBack):
		return fmt.Errorf("%w; visitors still get the previous site", err)
	case err != nil || before == nil:
		return err
	}
	return tellSearch(ctx, before, snapshot, d.Dir, d.send && !d.DryRun, d.endpoint, stdout)
}

// missingBuild adds advice to err, an error in opening a build. It doesn't change errors about sparse builds and parts,
// because these errors contain their own advice.
func missingBuild(err error) error {
	if errors.Is(err, artifact.ErrSparse) || errors.Is(err, artifact.ErrPart) {
		return err
	}
	return fmt.Errorf("%w; run vitrine build first, or specify the build folder with --build", err)
}

// address sets URL and Origin to their defaults if they are "", and appends the site's base path if they lack it.
// snapshot is a snapshot of the build; it may be nil if URL is set.
func (d *deployFlags) address(snapshot *compare.Snapshot) {
	if d.URL == "" {
		d.URL = snapshot.Base
	}
	if d.Origin == "" {
		d.Origin = d.URL
	}
	for _, address := range []*string{&d.URL, &d.Origin} {
		if plain := strings.TrimRight(*address, "/"); !strings.HasSuffix(plain, d.Build.Manifest.Mount) {
			*address = plain + d.Build.Manifest.Mount
		}
	}
}

// verify returns a function that verifies the deployed site and writes the report to w. With --quiet, the function
// writes the report only if checks failed. It returns an error if checks failed or the site can't be verified.
func (d *deployFlags) verify(w io.Writer) func(context.Context) error {
	return func(ctx context.Context) error {
		report, err := verify.Run(ctx, verify.Options{URL: d.URL, Build: d.Build, Tell: d.Report})
		if err != nil {
			return err
		}
		n := report.Count(verify.Failed)
		if n == 0 {
			w = d.quiet.notes(w)
		}
		if err := report.WriteText(w); err != nil {
			return err
		}
		if n > 0 {
			return fmt.Errorf("%d checks failed for %s; run vitrine verify %s for details", n, d.URL, d.URL)
		}
		return nil
	}
}

// answering returns a snapshot of the live site at address. It requests the pages that the site lists and the paths in
// known, a snapshot of the new build.
func answering(ctx context.Context, address string, known *compare.Snapshot, report func(string)) (*compare.Snapshot, error) {
	v, err := visit.Open(address, visit.Options{Timeout: 10 * time.Second, Tell: report})
	if err != nil {
		return nil, err
	}
	defer v.Close()
	return compare.OfSite(ctx, v, known)
}

// systemctlReload is the default of --reload. It reloads the systemd unit that vitrine config systemd prints, and
// returns once vitrined serves the new build.
const systemctlReload = "systemctl reload vitrined"
