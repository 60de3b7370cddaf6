package build

import (
	"context"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/check"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// Source selects the site to read.
type Source struct {
	// Root is the site's folder, which contains content/.
	Root string
	// BaseURL replaces the site's address in a preview, or is "". It must have the format returned by load.BaseURL. If
	// it is set, all responses exclude themselves from search engines.
	BaseURL string
	// Drafts includes drafts and scheduled pages.
	Drafts bool
	// Strict turns warnings about contradicted facts and placeholders into errors.
	Strict bool
	// NoSocialImages disables drawing social images, regardless of the site's settings.
	NoSocialImages bool
	// Now is the time of the run. If zero, it is the value of SOURCE_DATE_EPOCH, or the current time.
	Now time.Time
}

// Output selects the destination and the contents of a build.
type Output struct {
	// Out is the folder to build into.
	Out string
	// Codings are the encodings of every representation. SharedCodings are additional encodings for files shared by all
	// pages of a site.
	Codings, SharedCodings []artifact.Coding
	// Edges adds the files needed by Netlify and Cloudflare to respond like the server.
	Edges bool
	// NoSync disables syncing the build to disk, for folders that aren't served, such as in CI.
	NoSync bool
	// Verify makes the build first read every byte of the previous build and regenerate damaged files.
	Verify bool
	// Seed is the folder of another build of the site, or "". The first build into Out reuses the smaller image copies
	// from Seed, which only saves time.
	Seed string
	// Since is the folder of a full build of the site, or "". If it is set, the build is sparse: it contains the
	// complete manifest, but only the files missing from the build in Since.
	Since string
	// Earlier is like Since for a build that isn't in a folder, or nil. Only one of Since and Earlier may be set.
	Earlier *Earlier
	// Part is the part of the build to make, or zero for a complete build. The output for a part contains only its
	// pages and their records, for Merge. Since and Earlier must not be set with Part.
	Part Part
	// Private means that no other process writes to Out; see publish.Options.
	Private bool
}

// Earlier is a full build with its records.
type Earlier struct {
	Build   *artifact.Build
	Records record.Remote
}

// CheckOptions are additional options of a check.
type CheckOptions struct {
	// Instead maps the names of files, relative to the root, to replacement text.
	Instead map[string][]byte
	// Cache is the folder in which the check stores its findings for the next check, or "". A cache only saves time.
	Cache string
	// Outside checks the links to other sites and returns their problems, or is nil.
	Outside func(context.Context, []check.Outside) ([]site.Problem, error)
	// Translations requests Checked.Untranslated. With Source.Strict, each missing translation is an error.
	Translations bool
}

// Observer receives a run's timings and progress. The zero Observer receives neither.
type Observer struct {
	// Timings measures the phases of the run, or is nil.
	Timings *Timings
	// Progress is notified of the progress of the run, or is nil.
	Progress Progress
}

// Progress is notified of the progress of a run.
type Progress interface {
	// Begin is called first, with the number of pages to make.
	Begin(pages int)
	// Step is called after each page.
	Step()
	// End is called after the last page, or when the run fails.
	End()
}

// request contains the options of one run of the pipeline.
type request struct {
	Source
	// Output has no folder if the run writes no files.
	Output
	CheckOptions
	Observer
	// cold disables reuse of the previous run. loads requires the site's pages in memory, even if the site hasn't
	// changed since the previous run.
	cold, loads bool
	// live stores the findings of a check in memory, or is nil.
	live *record.Memory
	// parts contains the pages of a merge. It is nil for other runs.
	parts *parts
}
