package build

import (
	"context"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/check"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// Source says which site to read, and how.
type Source struct {
	// Root is the site's folder: the one that holds content/.
	Root string
	// BaseURL, if set, is the address that the site is built for instead of its own, as load.BaseURL returns it. It is
	// for previews: every response then asks search engines to leave the site out.
	BaseURL string
	// Drafts includes drafts and scheduled pages.
	Drafts bool
	// Strict turns warnings about contradicted facts into errors.
	Strict bool
	// NoSocialImages leaves out the images that are drawn for pages, whatever the site says.
	NoSocialImages bool
	// Now is the moment of the run. If zero, it is the value of SOURCE_DATE_EPOCH, or the clock's.
	Now time.Time
}

// Output says where a build goes, and in which forms.
type Output struct {
	// Out is the folder to build into.
	Out string
	// Codings are the content codings of every representation, SharedCodings the additional ones of files that the
	// pages of a site share.
	Codings, SharedCodings []artifact.Coding
	// Edges makes what Netlify and Cloudflare need to respond like the server.
	Edges bool
	// NoSync lets the system decide when the build is on the disk. It is for folders from which nothing is served,
	// as in CI.
	NoSync bool
	// Verify reads every byte of the last build first, and rebuilds what is damaged.
	Verify bool
	// Private says that nobody else writes into the folder; see publish.Options.
	Private bool
}

// CheckOptions say what a check does in addition to what every run finds.
type CheckOptions struct {
	// Instead has the text of files that are read instead of the files in the folder, by their names in the root.
	Instead map[string][]byte
	// Cache is a folder in which the check keeps its findings for the next one; "" for none. It changes only the
	// time that the next check takes.
	Cache string
	// Outside, if set, checks the links to other sites and returns what is wrong with them.
	Outside func(context.Context, []check.Outside) ([]site.Problem, error)
	// Translations asks for Checked.Untranslated. With Source.Strict, each of them is an error.
	Translations bool
}

// Observer watches a run. The zero Observer watches nothing.
type Observer struct {
	// Timings measures the work.
	Timings *Timings
	// Progress is told how many pages are done.
	Progress Progress
}

// Progress is told how far the pages of a run are.
type Progress interface {
	// Begin is called with the number of pages to make, Step after each of them, and End after the last.
	Begin(pages int)
	Step()
	End()
}

// request is what one run of the pipeline is asked to do.
type request struct {
	Source
	// Output has no folder if nothing is to be written.
	Output
	CheckOptions
	Observer
	// cold takes nothing over from the last run.
	cold bool
	// live keeps the findings of a check in memory; nil for none.
	live *record.Memory
}
