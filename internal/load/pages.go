package load

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// pageResult is what one page's file gave.
type pageResult struct {
	page     *site.Page
	problems []site.Problem
}

// readPages reads the pages with as many workers as there are processors. The
// order of the result is that of names, whichever worker was first.
func (l *loader) readPages(names []string, zone *time.Location) []*site.Page {
	setting := pageSetting{zone: zone, now: l.opt.Now, titleOf: l.opt.TitleOf, facts: l.book}
	results := make([]pageResult, len(names))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(names)) {
		workers.Go(func() {
			for l.ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(names) {
					return
				}
				results[i] = l.readPage(setting, names[i])
			}
		})
	}
	workers.Wait()
	pages := make([]*site.Page, 0, len(names))
	for _, result := range results {
		l.problems = append(l.problems, result.problems...)
		if result.page != nil {
			pages = append(pages, result.page)
		}
	}
	return pages
}

func (l *loader) readPage(setting pageSetting, name string) pageResult {
	r := &report{path: name}
	source, err := readFile(l.root, name, maxPage)
	if err != nil {
		r.errorf(site.Pos{}, "%v", err).Code = rule.Unreadable
		return pageResult{nil, r.problems}
	}
	page := setting.readPage(r, source)
	for i := range r.problems {
		r.problems[i].Path = printable(name)
	}
	return pageResult{page, r.problems}
}
