package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/cache"
	"vitrine/internal/codec"
	"vitrine/internal/history"
	"vitrine/internal/image"
	"vitrine/internal/ordered"
	"vitrine/internal/publish"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// Merge makes a complete build from its parts. Each of the folders is a part or contains parts. The build and its
// problems are byte for byte identical to the results of a build in one run. Merge takes the pages from the parts and
// generates only the site-wide files.
//
// source.Root must contain the files from which the parts were built. Of the options, Merge uses only source.Root,
// output.Out, and output.NoSync. All other options come from the parts.
func Merge(ctx context.Context, folders []string, source Source, output Output, observer Observer) (result Result, problems []site.Problem, err error) {
	parts, err := openParts(folders)
	if err != nil {
		return result, nil, err
	}
	defer func() { err = errors.Join(err, parts.close()) }()
	if err := parts.outside(output.Out); err != nil {
		return result, nil, err
	}
	r := request{Source: source, Output: output, Observer: observer, cold: true, parts: parts}
	parts.all[0].about.form.set(&r)
	r.Now = parts.now()
	b, err := begin(ctx, r)
	if err != nil {
		return result, nil, err
	}
	result, problems, err = b.build(ctx)
	return result, problems, errors.Join(err, b.end())
}

// parts contains the open parts of a build.
type parts struct {
	// all contains the parts, sorted by number.
	all []*openPart
}

// An openPart is an open part of a build.
type openPart struct {
	*record.Part
	dir   string
	about partAbout
	// copies is the cache of smaller copies of the images on the part's pages, or nil.
	copies *cache.File
}

// fail returns an error with the part's folder, the part, and the formatted message, as in "parts/3: part 3/16 is
// damaged".
func (p *openPart) fail(format string, values ...any) error {
	return fmt.Errorf("%s: part %s %w", p.dir, p.about.Part, fmt.Errorf(format, values...))
}

func (p *openPart) damaged() error {
	return p.fail("is damaged; download it again, or rebuild it")
}

// openParts opens the parts of a build in folders. It returns an error unless they are all the parts of one build.
func openParts(folders []string) (*parts, error) {
	var opened parts
	for _, dir := range folders {
		found, err := findParts(dir)
		if err != nil {
			return nil, errors.Join(err, opened.close())
		}
		for _, dir := range found {
			if opened.has(dir) {
				continue
			}
			p, err := openPartIn(dir)
			if err != nil {
				return nil, errors.Join(err, opened.close())
			}
			opened.all = append(opened.all, p)
		}
	}
	if err := opened.belong(); err != nil {
		return nil, errors.Join(err, opened.close())
	}
	return &opened, nil
}

// has reports whether the part in dir is already open, which happens if the user specifies both parts/* and parts.
func (p *parts) has(dir string) bool {
	is, err := os.Stat(dir)
	return err == nil && slices.ContainsFunc(p.all, func(part *openPart) bool {
		other, err := os.Stat(part.dir)
		return err == nil && os.SameFile(is, other)
	})
}

// findParts returns dir if it is a part, and otherwise the parts directly in dir. It is an error if there are no parts.
func findParts(dir string) (found []string, err error) {
	isPart := func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, artifact.PartFile))
		return err == nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for parts: %w; build each part with a command such as vitrine build --part 1/16", err)
	}
	if isPart(dir) {
		return []string{dir}, nil
	}
	for _, e := range entries {
		if inside := filepath.Join(dir, e.Name()); isPart(inside) {
			found = append(found, inside)
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%s contains no complete part of a build; build each part with a command such as vitrine build --part 1/16", dir)
	}
	return found, nil
}

func openPartIn(dir string) (*openPart, error) {
	stored, err := record.OpenPart(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: this part is damaged or was built by another version of Vitrine; build it again: %w", dir, err)
	}
	p := &openPart{Part: stored, dir: dir, copies: cache.OpenClosed(filepath.Join(cacheFolder(dir), copiesCache))}
	r := codec.NewReader(stored.About)
	if p.about.record(codec.From(r)); !r.Done() || p.about.Number < 1 || p.about.Number > p.about.Of {
		return nil, errors.Join(fmt.Errorf("%s: this part was built by another version of Vitrine; use one version for all parts and the merge", dir), p.close())
	}
	return p, nil
}

func (p *openPart) close() error {
	err := p.Part.Close()
	if p.copies != nil {
		err = errors.Join(err, p.copies.Close())
	}
	return err
}

func (p *parts) close() (err error) {
	for _, part := range p.all {
		err = errors.Join(err, part.close())
	}
	return err
}

// belong sorts the parts by number. It returns an error unless the parts are all the parts of one build, each of them
// once, and were built by this program with the same flags.
func (p *parts) belong() error {
	slices.SortStableFunc(p.all, func(a, b *openPart) int { return cmp.Compare(a.about.Number, b.about.Number) })
	first := p.all[0]
	program, known := stableProgram()
	for i, part := range p.all {
		switch {
		case part.about.Of != first.about.Of:
			return part.fail("and part %s in %s belong to different builds; merge parts of the same build", first.about.Part, first.dir)
		case i > 0 && p.all[i-1].about.Number == part.about.Number:
			return part.fail("is also in %s; remove one of the two folders", p.all[i-1].dir)
		case !known || part.about.program.key != program.key:
			return part.fail("was built by vitrine %s, but this is vitrine %s; use the same program for all parts and the merge", part.about.program.name, program.name)
		case part.about.form != first.about.form:
			return part.fail("was built with %s, and part %s was built with %s; use the same flags for all parts", part.about.form.flags(), first.about.Part, first.about.form.flags())
		}
	}
	var missing []string
	for number := 1; number <= first.about.Of; number++ {
		if !slices.ContainsFunc(p.all, func(part *openPart) bool { return part.about.Number == number }) {
			missing = append(missing, Part{number, first.about.Of}.String())
		}
	}
	switch len(missing) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("part %s is missing; build it, or specify its folder too", missing[0])
	}
	return fmt.Errorf("parts %s are missing; build them, or specify their folders too", strings.Join(missing, ", "))
}

// outside returns an error if out, the build folder, contains a part or is in one.
func (p *parts) outside(out string) error {
	to, err := resolve(out)
	if err != nil {
		return fmt.Errorf("looking for the build folder: %w", err)
	}
	for _, part := range p.all {
		dir, err := resolve(part.dir)
		if err != nil {
			return fmt.Errorf("looking for a part: %w", err)
		}
		if within(to, dir) || within(dir, to) {
			return fmt.Errorf("the output folder must be outside the parts, but %s overlaps the part %s; choose another folder with --out", out, part.dir)
		}
	}
	return nil
}

// now returns the time of the part that was built last, which becomes the time of the build.
func (p *parts) now() time.Time {
	last := slices.MaxFunc(p.all, func(a, b *openPart) int { return cmp.Compare(a.about.now, b.about.now) })
	return time.Unix(0, last.about.now)
}

// set sets the options in r that all parts share to the values in f.
func (f *partForm) set(r *request) {
	r.Drafts, r.Strict, r.NoSocialImages, r.Edges, r.BaseURL = f.drafts, f.strict, f.noSocialImages, f.edges, f.baseURL
	r.Codings, r.SharedCodings = codingsOf(f.codings), codingsOf(f.shared)
}

// checkParts returns an error if the sources of a part differ from the sources in the site's folder, or if a page
// became due between the builds of two parts.
func (b *builder) checkParts(ctx context.Context) error {
	sources := b.sourcesKey()
	for _, part := range b.opt.parts.all {
		switch about := &part.about; {
		case about.looked && b.now.UnixNano() >= about.until:
			return part.fail("was built before %s, when a page was due, and another part was built after it; "+
				"set SOURCE_DATE_EPOCH to the same time for all parts", time.Unix(0, about.until).In(b.site.Config.Location).Format(time.RFC3339))
		case about.sources != sources || about.head != b.last.run.head:
			return part.fail("was built from different sources%s; use the same commit and the same git history for all parts and the merge", commits(about.head, b.last.run.head))
		}
		for _, name := range slices.Sorted(maps.Keys(part.about.included)) {
			if HashIncluded(b.folder.ReadUnlinked(name)) != part.about.included[name] {
				return part.fail("shows code from %s, which has changed; use the same commit for all parts and the merge", name)
			}
		}
		b.included.add(part.about.included, part.about.cards)
	}
	return b.checkPartImages(ctx)
}

// commits returns a phrase with the commit of a part and the commit of the site's folder, or "" if they are the same.
func commits(part, here string) string {
	name := func(head string) string {
		switch head {
		case "", history.None:
			return "no commit"
		case history.Shallow:
			return "a shallow clone"
		}
		return "commit " + head
	}
	if part == here {
		return ""
	}
	return fmt.Sprintf(" (%s, and %s here)", name(part), name(here))
}

// checkPartImages returns an error if an image has changed since a part was built with it.
func (b *builder) checkPartImages(ctx context.Context) error {
	by := make(map[string]*openPart)
	for _, part := range b.opt.parts.all {
		for path := range part.about.images {
			by[path] = part
		}
	}
	return ordered.Each(ctx, slices.Sorted(maps.Keys(by)), func(_ context.Context, path string) (struct{}, error) {
		hash := b.images.Hash(path)
		for _, part := range b.opt.parts.all {
			if was, read := part.about.images[path]; read && was != hash {
				return struct{}{}, part.fail("shows %s, which has changed; use the same commit for all parts and the merge", path)
			}
		}
		return struct{}{}, nil
	}, func(struct{}) error { return nil })
}

// part returns the part that contains the page with the given ID, or nil if no part contains it.
func (p *parts) part(id record.ID) *openPart {
	for _, part := range p.all {
		if part.Has(id) {
			return part
		}
	}
	return nil
}

// storedPage reads a page from the part that contains it, and prepares its resources for the stage. It returns an error
// if no part contains the page or the page's data is damaged.
func (b *builder) storedPage(p *site.Page) (*madePage, error) {
	id := record.IDOf(p)
	part := b.opt.parts.part(id)
	if part == nil {
		return nil, fmt.Errorf("no part contains the page %s from %s; rebuild all parts", p.Path, p.Source)
	}
	made := &madePage{page: p, record: part.Page(id), from: part}
	resources, ok := part.Resources(id)
	if made.record == nil || !ok {
		return nil, part.damaged()
	}
	for _, image := range made.record.Pictures {
		b.images.Show(image)
	}
	if resources == "" || b.wrong {
		return made, nil
	}
	if made.prepared, ok = readPrepared(resources); !ok {
		return nil, part.damaged()
	}
	return made, b.stage.Adopt(made.prepared)
}

func readPrepared(resources string) (prepared *publish.Prepared, ok bool) {
	prepared = new(publish.Prepared)
	r := codec.NewCopyingReader(resources)
	prepared.Record(codec.From(r))
	return prepared, r.Done()
}

// collectStored adds a page from a part to the site-wide files. The page's text is read from the part on demand.
func (b *builder) collectStored(made *madePage) error {
	if !made.record.Set {
		return nil
	}
	p, part, id := made.page, made.from, made.record.ID
	texts := func() (record.Texts, error) {
		texts, ok := part.Texts(id)
		if !ok {
			return texts, part.damaged()
		}
		return texts, nil
	}
	return b.renderer.Restore(p, &made.record.Share, texts, func() ([]byte, error) {
		resources, ok := part.Resources(id)
		if !ok {
			return nil, part.damaged()
		}
		prepared, ok := readPrepared(resources)
		if !ok {
			return nil, part.damaged()
		}
		return prepared.Public(p.MarkdownPath()[1:]), nil
	})
}

// partCopies is the cache of smaller copies of images in a merge. It copies missing entries from the parts.
type partCopies struct {
	*cache.File
	parts *parts
}

var _ image.Cache = partCopies{}

// Get implements image.Cache.
func (c partCopies) Get(key uint64) (data []byte, ok bool) {
	if data, ok = c.File.Get(key); ok {
		return data, true
	}
	for _, part := range c.parts.all {
		if part.copies == nil {
			continue
		}
		if data, ok = part.copies.Get(key); ok {
			c.File.Put(key, data)
			return data, true
		}
	}
	return nil, false
}
