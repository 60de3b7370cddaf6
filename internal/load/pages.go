package load

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"vitrine/internal/facts"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// readPages reads the named pages concurrently, with one worker per processor. The result is in the order of names, and
// omits the files that can't be pages.
func (l *loader) readPages(ctx context.Context, names []string, config *site.Config) []*site.Page {
	setting := pageSetting{zone: config.Location, now: l.opt.Now, titleOf: l.opt.TitleOf, facts: l.values, config: config}
	results := make([]Source, len(names))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(names)) {
		workers.Go(func() {
			for ctx.Err() == nil {
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
		l.problems = append(l.problems, result.Problems...)
		if result.Page != nil {
			pages = append(pages, result.Page)
		}
	}
	return pages
}

// page restores the named page from Options.Memory, or reads the page and stores the result in Options.Memory.
func (l *loader) page(setting pageSetting, name string) Source {
	if l.opt.Memory == nil {
		return l.readPage(setting, name)
	}
	if source, ok := l.opt.Memory.Restore(name, setting.zone); ok {
		return source
	}
	source := l.readPage(setting, name)
	l.opt.Memory.Keep(name, setting.zone, source)
	return source
}

func (l *loader) readPage(setting pageSetting, name string) Source {
	r := &report{path: name}
	text, err := readFile(l.folder, name, maxPage)
	if err != nil {
		r.errorf(site.Pos{}, "%v", err).Code = rule.Unreadable
		return Source{nil, r.problems}
	}
	r.source = text
	page := setting.readPage(r, text)
	for i := range r.problems {
		r.problems[i].Path = printable(name)
	}
	return Source{page, r.problems}
}

// Again reads the named page from text, the page's source. The result is the same as the result of a load with the same
// settings, options, and facts. values contains the facts, keyed by language tag.
func Again(name string, text []byte, config *site.Config, opt Options, values map[string]*facts.Values) Source {
	r := &report{path: name, source: text}
	page := pageSetting{zone: config.Location, now: opt.Now, titleOf: opt.TitleOf, facts: values, config: config}.readPage(r, text)
	return Source{page, r.problems}
}
