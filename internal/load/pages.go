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
				results[i] = l.page(setting, names[i])
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

// page recalls a page, or reads it.
func (l *loader) page(setting pageSetting, name string) pageResult {
	if l.opt.Recall != nil {
		if page, problems, ok := l.opt.Recall(name, setting.zone); ok {
			return pageResult{page, problems}
		}
	}
	result := l.readPage(setting, name)
	if l.opt.Read != nil {
		l.opt.Read(name, setting.zone, result.page, result.problems)
	}
	return result
}

func (l *loader) readPage(setting pageSetting, name string) pageResult {
	r := &report{path: name}
	source, err := l.folders.limited(name, maxPage)
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
