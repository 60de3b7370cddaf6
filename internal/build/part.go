package build

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
	"vitrine/internal/folder"
	"vitrine/internal/plan"
	"vitrine/internal/publish"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// A Part identifies one of several parts of a build. Parts are numbered from 1 to Of. Each part renders some of the
// pages, and Merge combines all parts into the complete build. The zero Part is the complete build.
type Part struct{ Number, Of int }

// ParsePart parses the number of a part and the number of all parts, separated by a slash, as in 3/16.
func ParsePart(value string) (Part, error) {
	number, of, _ := strings.Cut(value, "/")
	var p Part
	var failed [2]error
	p.Number, failed[0] = strconv.Atoi(number)
	p.Of, failed[1] = strconv.Atoi(of)
	if errors.Join(failed[:]...) != nil || p.Number < 1 || p.Number > p.Of {
		return Part{}, fmt.Errorf("want the number of the part and the number of all parts, such as 3/16; found %q", value)
	}
	return p, nil
}

func (p Part) String() string { return fmt.Sprintf("%d/%d", p.Number, p.Of) }

// choose returns the pages that belong to the part, in the same order as in pages. It distributes the pages among all
// parts by the hashes of the pages' paths. As a result, the numbers of pages in two parts differ by at most one, and
// the pages of a section or of a long list are spread across all parts. The order of pages doesn't matter.
func (p Part) choose(pages []*site.Page) []*site.Page {
	type card struct {
		hash   uint64
		number int
	}
	cards := make([]card, len(pages))
	for i, page := range pages {
		cards[i] = card{xxhash.Sum64String(page.Path), i}
	}
	slices.SortFunc(cards, func(a, b card) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), strings.Compare(pages[a.number].Path, pages[b.number].Path),
			strings.Compare(pages[a.number].Source, pages[b.number].Source))
	})
	var numbers []int
	for turn := p.Number - 1; turn < len(cards); turn += p.Of {
		numbers = append(numbers, cards[turn].number)
	}
	slices.Sort(numbers)
	chosen := make([]*site.Page, len(numbers))
	for i, number := range numbers {
		chosen[i] = pages[number]
	}
	return chosen
}

// A partAbout describes a part for Merge.
type partAbout struct {
	Part
	program programID
	form    partForm
	// looked reports whether the pages of the part were checked. It is false, for example, if there was no site.
	looked bool
	// now is the time of the build, and until is the time up to which the same sources result in the same site. Both
	// are in nanoseconds since 1970.
	now, until int64
	// head is the commit of the sources, or "" if it is unknown; see run.head.
	head string
	// sources is the result of builder.sourcesKey.
	sources uint64
	// included and cards have the same meaning as in record.Header. images maps the paths of the images that the part
	// has read to their hashes.
	included, cards, images map[string]uint64
}

// A partForm contains the options that all parts of a build must share.
type partForm struct {
	drafts, strict, noSocialImages, edges bool
	baseURL                               string
	codings, shared                       string
}

func (a *partAbout) record(c codec.Coder) {
	codec.Uint(c, &a.Number)
	codec.Uint(c, &a.Of)
	c.Hash(&a.program.key)
	c.Text(&a.program.name)
	for _, b := range []*bool{&a.form.drafts, &a.form.strict, &a.form.noSocialImages, &a.form.edges, &a.looked} {
		c.Bool(b)
	}
	for _, text := range []*string{&a.form.baseURL, &a.form.codings, &a.form.shared, &a.head} {
		c.Text(text)
	}
	codec.Time(c, &a.now)
	codec.Time(c, &a.until)
	c.Hash(&a.sources)
	for _, hashes := range []*map[string]uint64{&a.included, &a.cards, &a.images} {
		codec.Map(c, hashes, c.Text, c.Hash)
	}
}

// formOf returns the options in r that all parts of a build must share.
func formOf(r *request) partForm {
	return partForm{
		drafts: r.Drafts, strict: r.Strict, noSocialImages: r.NoSocialImages, edges: r.Edges, baseURL: r.BaseURL,
		codings: codingNames(r.Codings), shared: codingNames(r.SharedCodings),
	}
}

// codingNames returns the names of codings, separated by commas.
func codingNames(codings []artifact.Coding) string {
	names := make([]string, len(codings))
	for i, c := range codings {
		names[i] = c.String()
	}
	return strings.Join(names, ",")
}

// codingsOf returns the codings in names, a result of codingNames.
func codingsOf(names string) (codings []artifact.Coding) {
	for name := range strings.SplitSeq(names, ",") {
		for _, c := range []artifact.Coding{artifact.Gzip, artifact.Brotli} {
			if c.String() == name {
				codings = append(codings, c)
			}
		}
	}
	return codings
}

// flags returns the flags of vitrine build that set these options, for a message, or "no flags".
func (f *partForm) flags() string {
	var all []string
	for name, set := range map[string]bool{"--drafts": f.drafts, "--strict": f.strict} {
		if set {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	if f.baseURL != "" {
		all = append(all, "--base-url "+f.baseURL)
	}
	if f.shared == "" {
		all = append(all, "--codings "+cmp.Or(f.codings, "none"))
	}
	return cmp.Or(strings.Join(all, " "), "no flags")
}

// beginPart starts to write the part. It returns an error if the program can't be identified.
func (b *builder) beginPart() (err error) {
	var known bool
	if b.program, known = stableProgram(); !known {
		return errors.New("this program cannot identify itself, so vitrine merge could not compare it with the programs that built other parts; use a release of Vitrine")
	}
	if b.part, err = record.CreatePart(b.opt.Out); err != nil {
		return fmt.Errorf("starting part %s: %w", b.opt.Part, err)
	}
	return nil
}

// store encodes the prepared resources of a page, for PartWriter.Add.
func store(prepared *publish.Prepared) []byte {
	var w codec.Writer
	prepared.Record(codec.To(&w))
	return w.Data
}

// finishPart completes the part. looked is the result of builder.look.
func (b *builder) finishPart(looked bool) (summary publish.Summary, err error) {
	about := partAbout{Part: b.opt.Part, program: b.program, form: formOf(&b.opt), looked: looked, now: b.now.UnixNano()}
	if looked {
		summary.Pages = len(b.opt.Part.choose(b.site.Pages))
		about.until, about.head = plan.HoldsUntil(b.site).UnixNano(), b.last.run.head
		about.sources = b.sourcesKey()
		var header record.Header
		b.included.addTo(&header)
		about.included, about.cards, about.images = header.Included, header.Cards, b.images.Hashes()
		for _, c := range b.caches {
			if err := c.Sweep(); err != nil {
				return summary, err
			}
		}
	}
	var w codec.Writer
	about.record(codec.To(&w))
	if summary.Bytes, err = b.part.Finish(string(w.Data)); err != nil {
		return summary, fmt.Errorf("storing part %s: %w", b.opt.Part, err)
	}
	return summary, nil
}

// sourcesKey returns a hash of the site's sources that is the same on every machine. For files such as images and
// downloads, the hash covers only their URL paths, names, and sizes, and not their contents.
func (b *builder) sourcesKey() uint64 {
	h := xxhash.New()
	line := func(format string, values ...any) {
		// A digest's Write never fails.
		_, _ = fmt.Fprintf(h, format+"\n", values...)
	}
	known := make(map[string]bool)
	for _, p := range b.site.Pages {
		known[p.Source] = true
		line("%q %q %016x %016x", p.Path, p.Source, p.Digest, xxhash.Sum64(p.Text))
	}
	for _, f := range b.site.Files {
		known[f.Source] = true
		line("%q %q %d", f.Path, f.Source, f.Size)
	}
	others := slices.DeleteFunc(b.tree.Files(folder.Content), func(name string) bool { return known[name] })
	slices.Sort(others)
	line("%016x", b.digest(others...))
	templates := b.tree.Files(folder.Templates)
	slices.Sort(templates)
	line("%016x %016x", b.digest(templates...), b.deploy.Sum())
	return h.Sum64()
}
