package load

import (
	"time"

	"vitrine/internal/facts"
	"vitrine/internal/site"
)

// Again reads the source of one page as a load of the same options, facts and
// zone does. The page is nil where the file's name cannot be a path.
func Again(name string, source []byte, zone *time.Location, opt Options, book *facts.Book) (*site.Page, []site.Problem) {
	r := &report{path: name}
	page := pageSetting{zone: zone, now: opt.Now, titleOf: opt.TitleOf, facts: book}.readPage(r, source)
	return page, r.problems
}
