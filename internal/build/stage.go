package build

import (
	"context"
	"fmt"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/edge"
	"vitrine/internal/publish"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// openStage checks the build folder and starts a stage in it. For a sparse build, it also opens the base build and
// removes old records from the build folder. For a part of a build, it also starts to write the part.
func (b *builder) openStage(ctx context.Context) (err error) {
	opt := &b.opt
	if err := checkOut(opt.Root, opt.Out); err != nil {
		return err
	}
	options := publish.Options{Part: opt.Part.Of > 0, Codings: opt.Codings, SharedCodings: opt.SharedCodings, NoSync: opt.NoSync, Verify: opt.Verify, Private: opt.Private}
	if opt.BaseURL != "" {
		options.Every = []artifact.Field{{Name: "X-Robots-Tag", Value: "noindex"}}
	}
	if opt.Edges {
		options.Derive = edgeFiles
	}
	if options.Since, err = b.openSince(); err != nil {
		return err
	}
	if b.stage, err = publish.Begin(ctx, opt.Out, options); err != nil {
		return err
	}
	switch {
	case options.Part:
		return b.beginPart()
	case b.since == nil:
		return nil
	}
	// The folder may contain the records of an earlier sparse build.
	if err := record.Forget(cacheFolder(opt.Out)); err != nil {
		return fmt.Errorf("removing old records: %w", err)
	}
	return nil
}

// commit publishes the staged resources. It adds the duration of this phase and the numbers of pages and files to the
// timings.
func (b *builder) commit(s *site.Site) (publish.Summary, error) {
	stage := b.stage
	b.stage = nil
	stage.SetNextDue(s.NextDue())
	allowance := site.AllowanceOf(&s.Config, artifact.DefaultLimit, artifact.DefaultWindow)
	summary, err := stage.Commit(allowance.Limit, time.Duration(allowance.Seconds)*time.Second)
	b.opt.Timings.phase("publish")
	b.opt.Timings.count("pages", summary.Pages)
	b.opt.Timings.count("files", summary.Files)
	return summary, err
}

// edgeFiles generates the files with which Netlify and Cloudflare serve the build.
func edgeFiles(m *artifact.Manifest, read func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error)) ([]publish.Derived, error) {
	files, err := edge.Outputs(m, read)
	if err != nil {
		return nil, err
	}
	derived := make([]publish.Derived, len(files))
	for i, f := range files {
		derived[i] = publish.Derived(f)
	}
	return derived, nil
}
