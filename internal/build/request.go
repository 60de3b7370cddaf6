package build

import (
	"context"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/check"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// A Source selects the site to read.
type Source struct {
	// Root is the site's folder, which contains content/.
	Root string
	// BaseURL is the URL of a preview, which replaces the site's URL, or "". It must have the format that load.BaseURL
	// returns. If it is set, all responses tell search engines not to index them.
	BaseURL string
	// Drafts includes drafts and scheduled pages in the site.
	Drafts bool
	// Strict makes placeholders and text that contradicts the facts errors instead of warnings.
	Strict bool
	// NoSocialImages turns off social images, even if the site's settings turn them on.
	NoSocialImages bool
	// Now is the time of the run. If it is zero, the function Now determines the time.
	Now time.Time
}

// An Output selects the build folder and the contents of a build.
type Output struct {
	// Out is the path of the build folder.
	Out string
	// Codings are the content codings of all representations. SharedCodings are additional codings for files that all
	// pages of a site share.
	Codings, SharedCodings []artifact.Coding
	// Edges adds the files with which Netlify and Cloudflare return the same responses as the server.
	Edges bool
	// NoSync turns off syncing of the build to disk, for a folder that isn't served, for example in CI.
	NoSync bool
	// Verify makes the build first read every byte of the previous build, and generate damaged files again.
	Verify bool
	// Seed is the path of another build of the site, or "". The first build into Out then reuses the smaller copies of
	// images in Seed, which saves time and doesn't affect the result.
	Seed string
	// Since is the path of a full build of the site, or "". If it is set, the build is sparse: it contains the complete
	// manifest, but only the files that the build in Since doesn't have.
	Since string
	// Earlier is a full build that isn't in a folder, or nil. It has the same effect as Since. Since and Earlier must
	// not both be set.
	Earlier *Earlier
	// Part is the part of the build to make, or zero for a complete build. Out then contains only the pages of the part
	// and their records, for Merge. If Part is set, Since and Earlier must not be set.
	Part Part
	// Private is true if no other process writes to Out; see publish.Options.
	Private bool
}

// An Earlier is a full build with its records.
type Earlier struct {
	Build   *artifact.Build
	Records record.Remote
}

// CheckOptions contains additional options of a check.
type CheckOptions struct {
	// Instead maps the names of files, relative to the site's folder, to text that replaces their content.
	Instead map[string][]byte
	// Cache is the path of the folder in which the check stores its findings for the next check, or "". The stored
	// findings save time and don't affect the result.
	Cache string
	// Outside checks links to other sites and returns the problems with them. If it is nil, these links aren't checked.
	Outside func(context.Context, []check.Outside) ([]site.Problem, error)
	// Translations makes the check set Checked.Untranslated. If Source.Strict is also set, each missing or outdated
	// translation is reported as a problem, too.
	Translations bool
}

// An Observer receives the timings and the progress of a run. Both fields may be nil.
type Observer struct {
	// Timings measures the phases of the run.
	Timings *Timings
	// Progress is notified while pages are made.
	Progress Progress
}

// A Progress is notified while the pages of a run are made.
type Progress interface {
	// Begin is called before the first page, with the number of pages to make.
	Begin(pages int)
	// Step is called after each page has been made.
	Step()
	// End is called after the last page, or when an error ends the run.
	End()
}

// A request contains the options of a run.
type request struct {
	Source
	// Output.Out is "" if the run writes no files.
	Output
	CheckOptions
	Observer
	// cold prevents the run from reusing results of the previous run. loads makes the run load the site's pages even if
	// nothing has changed since the previous run.
	cold, loads bool
	// live stores the findings of a check in memory. It is nil for other runs.
	live *record.Memory
	// parts contains the parts to merge. It is nil for other runs.
	parts *parts
}
