package build

import (
	"vitrine/internal/load"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// lastBuild is what a build can take over from the one before in the same folder,
// and what it keeps for the next. Whatever is taken over is what this build would
// have made. Where there is nothing to take from or to keep, noLastBuild makes no
// difference, so that the pipeline reads as if every build were the first.
type lastBuild interface {
	// Unchanged returns the last build's site and problems where this build would
	// be the same. Of the site there are then the zone and the pages that wait for
	// their date, and no others.
	Unchanged() (s *site.Site, problems []site.Problem, ok bool)
	// Sources is what was made of the sources of pages; nil for nothing.
	Sources() load.Memory
	// History returns what git knows of the site: what was kept where git would say
	// the same, else what git says.
	History(root string, ask func(was keptHistory) (gitHistory, error)) (gitHistory, error)

	// Changed returns which pages have to be made. The others are restored, each in
	// its turn: RestoreBefore restores those that stand before a page, or all that
	// are left, for nil. KeepPage keeps what was found on a page, in its turn, before
	// its resources are appended; Keeps says whether its key is needed.
	Changed(pages []*site.Page) []*site.Page
	RestoreBefore(p *site.Page) error
	KeepPage(page *record.Page)
	Keeps() bool

	// Has reports whether a group of resources can be restored, which Restore then
	// does. Keep keeps a group whose resources are about to be appended.
	Has(g group) bool
	Restore(g group) error
	Keep(g group, resources int)

	// RestoreOutputs takes over what was found in the files of the whole site where they
	// are not made; false where they have to be. KeepOutputs keeps it.
	RestoreOutputs() bool
	KeepOutputs(asked outputsAsked, problems []site.Problem, dead []string)

	// KeepAll has all that was kept written when the build is published, with the
	// problems that it found. Discard gives it up where the build was not.
	KeepAll(problems []site.Problem)
	Discard() error
}

// noLastBuild is a build folder without a last build, for a build that keeps
// nothing.
type noLastBuild struct{}

func (noLastBuild) Unchanged() (*site.Site, []site.Problem, bool) { return nil, nil, false }
func (noLastBuild) Sources() load.Memory                          { return nil }
func (noLastBuild) History(root string, ask func(was keptHistory) (gitHistory, error)) (gitHistory, error) {
	now, err := keptHistory{}.at(root, ask)
	return now.gitHistory, err
}
func (noLastBuild) Changed(pages []*site.Page) []*site.Page            { return pages }
func (noLastBuild) RestoreBefore(*site.Page) error                     { return nil }
func (noLastBuild) KeepPage(*record.Page)                              {}
func (noLastBuild) Keeps() bool                                        { return false }
func (noLastBuild) Has(group) bool                                     { return false }
func (noLastBuild) Restore(group) error                                { return nil }
func (noLastBuild) Keep(group, int)                                    {}
func (noLastBuild) RestoreOutputs() bool                               { return false }
func (noLastBuild) KeepOutputs(outputsAsked, []site.Problem, []string) {}
func (noLastBuild) KeepAll([]site.Problem)                             {}
func (noLastBuild) Discard() error                                     { return nil }
