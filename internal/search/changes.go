package search

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
	"strings"

	"vitrine/internal/codec"
)

const (
	// Limits above which building the index is faster than updating it. mostScanned is the maximum number of pages
	// whose records are searched for a word's forms or for a page with a stem. mostVanished is the maximum number of
	// removed forms that are searched for on all pages.
	mostScanned, mostVanished = 2000, 8
)

// stemChange lists the pages that contain a stem in the new index.
type stemChange struct {
	pages []posting
	// changed reports whether set has been called.
	changed bool
	// was and all are the numbers of pages in the previous and in the new index, including omitted pages.
	was, all int
	// short reports whether the list in the previous index omits pages; see mostPostings. Such a list contains all pages
	// with a level above least and, up to the page cut, all pages with the level least.
	short      bool
	least, cut int
}

// posting is a page that contains a stem, with the page's level of relevance and the number of the page's best piece
// for the stem.
type posting struct{ page, level, piece int }

// stem returns the change to the given stem. On the first call, it reads the stem's pages from the index. If the list
// of these pages in the index is damaged, stem adds an error to u.failed.
func (u *updater) stem(stem string) *stemChange {
	if s, ok := u.stems[stem]; ok {
		return s
	}
	s := &stemChange{}
	u.stems[stem] = s
	value, ok := u.find(stemKind + stem)
	if !ok {
		return s
	}
	damaged := func() *stemChange {
		u.failed = errors.Join(u.failed, errors.New("a list of pages in the search index is damaged"))
		return s
	}
	all, size := binary.Uvarint(value)
	if size <= 0 {
		return damaged()
	}
	s.was, s.all, s.short, s.least = int(all), int(all), all > mostPostings, levels
	page := -1
	for list := value[size:]; len(list) > 0; {
		n, size := binary.Uvarint(list)
		if size <= 0 {
			return damaged()
		}
		list = list[size:]
		page += int(n >> 4)
		p := posting{page: page, level: int(n>>1) % levels}
		if n&1 != 0 {
			piece, size := binary.Uvarint(list)
			list, p.piece = list[max(size, 0):], int(piece)
		}
		if p.level <= s.least {
			s.least, s.cut = p.level, p.page
		}
		s.pages = append(s.pages, p)
	}
	return s
}

// set makes t the page's entry for the stem or, if has is false, removes the page's entry. had reports whether the page
// had an entry.
func (s *stemChange) set(page int, t termOf, had, has bool) {
	s.changed = true
	if had {
		s.all--
	}
	if has {
		s.all++
	}
	i, there := slices.BinarySearchFunc(s.pages, page, func(p posting, page int) int { return p.page - page })
	p := posting{page, t.grade % levels, t.grade / levels}
	switch listed := has && s.lists(p); {
	case there && listed:
		s.pages[i] = p
	case there:
		s.pages = slices.Delete(s.pages, i, i+1)
	case listed:
		s.pages = slices.Insert(s.pages, i, p)
	}
}

// lists reports whether the list contains p if the stem is on the page.
func (s *stemChange) lists(p posting) bool {
	return !s.short || p.level > s.least || p.level == s.least && p.page <= s.cut
}

// refill adds the most relevant omitted pages to a list that has lost pages, until it has mostPostings pages again. It
// sets u.failed if it doesn't find enough pages.
func (u *updater) refill(stem string, s *stemChange) {
	end := min(u.records.Count, s.cut+mostScanned)
	for len(s.pages) < mostPostings {
		if s.cut++; s.cut >= end {
			u.failed = errors.Join(u.failed, ErrRebuild)
			return
		}
		r, err := u.records.At(s.cut)
		u.failed = errors.Join(u.failed, err)
		if t, ok := termIn(r, stem); ok && t.grade%levels == s.least {
			s.set(s.cut, t, true, true)
		}
	}
}

// often returns the frequency of a stem in the form that wordValue encodes: the bit length of the number of pages that
// contain the stem.
func often(pages int) byte { return byte(bits.Len(uint(pages))) }

// termOf is a page's entry for a stem: the level and the best piece, combined in grade, and the encoded forms.
type termOf struct {
	grade int
	forms string
}

func termsOf(r Record) map[string]termOf {
	in := codec.NewReader(r.Terms)
	count := in.Count()
	all := make(map[string]termOf, count)
	for range count {
		stem, grade, forms := in.Text(), int(in.Uint()), in.Text()
		all[stem] = termOf{grade, forms}
	}
	return all
}

func formsIn(written string) (forms []string) {
	for in := codec.NewReader(written); in.OK() && !in.Done(); {
		forms = append(forms, in.Text())
	}
	return forms
}

// changes records all changed entries of the index with edit. It returns false if it can't determine the changed
// entries, or if an update would take longer than building the index.
func (u *updater) changes() bool {
	// gained contains the stems of forms added to a page, and lost contains the stems of removed forms. Both are keyed
	// by form.
	gained, lost := make(map[string][]string), make(map[string][]string)
	for number, before := range u.before.Changed {
		now := u.record(number)
		u.changePieces(number, before, now)
		was, is := termsOf(before), termsOf(now)
		for stem, t := range was {
			if is[stem] == t {
				continue
			}
			after, has := is[stem]
			u.stem(stem).set(number, after, true, has)
			u.compareForms(stem, t.forms, after.forms, gained, lost)
		}
		for stem, t := range is {
			if _, had := was[stem]; !had {
				u.stem(stem).set(number, t, false, true)
				u.compareForms(stem, "", t.forms, gained, lost)
			}
		}
	}
	// forms contains the new stem of each form whose entry may have changed, or "" if no page contains the form.
	forms := make(map[string]string)
	for form := range gained {
		forms[form] = ""
	}
	for form := range lost {
		forms[form] = ""
	}
	for stem, s := range u.stems {
		if s.short && s.all <= mostPostings {
			return false
		}
		if often(s.was) == often(s.all) {
			continue
		}
		if s.all+s.was > mostScanned {
			return false
		}
		for _, p := range s.pages {
			t, _ := termIn(u.record(p.page), stem)
			for _, form := range formsIn(t.forms) {
				forms[form] = ""
			}
		}
	}
	vanished := 0
	for form := range forms {
		stem, known := u.stemOf(form)
		if known && slices.Contains(lost[form], stem) && !u.anyHas(stem, form) {
			if stem, known = "", false; !hasDigit(form) {
				if vanished++; vanished > mostVanished {
					return false
				}
				stem, known = u.stemOnAll(form)
			}
		}
		for _, other := range gained[form] {
			if !known || other < stem {
				stem, known = other, true
			}
		}
		forms[form] = stem
	}
	for form, stem := range forms {
		u.changeWord(form, stem)
	}
	for stem, s := range u.stems {
		u.changeStem(stem, s)
	}
	return u.failed == nil
}

// changePieces records the changed pieces of a page.
func (u *updater) changePieces(number int, was, is Record) {
	for i := range max(len(was.Pieces), len(is.Pieces)) {
		key := string(binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint32([]byte(pageKind), uint32(number)), uint16(i)))
		if i < len(is.Pieces) {
			u.edit(key, []byte(is.Pieces[i]))
		} else {
			u.edit(key, nil)
		}
	}
}

// compareForms records the indexed forms of a stem added to or removed from a page in gained and lost. was and is are
// the encoded forms on the page before and after the change.
func (u *updater) compareForms(stem, was, is string, gained, lost map[string][]string) {
	before, after := formsIn(was), formsIn(is)
	for _, form := range after {
		if indexed(form) && !slices.Contains(before, form) {
			gained[form] = append(gained[form], stem)
		}
	}
	for _, form := range before {
		if indexed(form) && !slices.Contains(after, form) {
			lost[form] = append(lost[form], stem)
		}
	}
}

// stemOf returns the stem of a form in the previous index. ok is false if the index doesn't contain the form or its
// entry is damaged.
func (u *updater) stemOf(form string) (stem string, ok bool) {
	value, ok := u.find(wordKind + form)
	if !ok {
		return "", false
	}
	if len(value) < 2 || int(value[1]) > len(form) {
		u.failed = errors.Join(u.failed, errors.New("a word in the search index is damaged"))
		return "", false
	}
	return form[:value[1]] + string(value[2:]), true
}

// termIn returns the entry of the page with the record r for a stem. ok is false if the page doesn't contain the stem.
func termIn(r Record, stem string) (t termOf, ok bool) {
	in := codec.NewReader(r.Terms)
	for range in.Count() {
		is, grade, forms := in.Text(), int(in.Uint()), in.Text()
		if is == stem {
			return termOf{grade, forms}, true
		}
	}
	return termOf{}, false
}

// anyHas reports whether any page contains the given form of a stem. It sets u.failed if none of the listed pages does,
// but the list omits pages.
func (u *updater) anyHas(stem, form string) bool {
	s := u.stem(stem)
	listed := s.pages
	if s.short {
		listed = listed[:min(mostScanned, len(listed))]
	}
	for _, p := range listed {
		if t, _ := termIn(u.record(p.page), stem); slices.Contains(formsIn(t.forms), form) {
			return true
		}
	}
	if s.short {
		u.failed = errors.Join(u.failed, ErrRebuild)
	}
	return false
}

// stemOnAll returns the first stem, in sorted order, of the form on any page. ok is false if no page contains the form.
func (u *updater) stemOnAll(form string) (first string, ok bool) {
	var w codec.Writer
	w.Text(form)
	written := string(w.Data)
	for number := range u.records.Count {
		r, err := u.records.At(number)
		if u.failed = errors.Join(u.failed, err); !strings.Contains(r.Terms, written) {
			continue
		}
		for stem, t := range termsOf(r) {
			if slices.Contains(formsIn(t.forms), form) && (!ok || stem < first) {
				first, ok = stem, true
			}
		}
	}
	return first, ok
}

// hasDigit reports whether a form contains a digit. The only stem of such a form is the form itself, because only words
// consisting of letters are stemmed and no letter folds to a digit.
func hasDigit(form string) bool { return strings.ContainsAny(form, "0123456789") }

// changeWord updates the index entries of form, whose stem is now stem. If stem is "", it removes them.
func (u *updater) changeWord(form, stem string) {
	value := []byte(nil)
	if stem != "" {
		value = wordValue(form, stem, often(u.stem(stem).all))
	}
	for _, key := range wordKeys(form) {
		u.edit(key, value)
	}
}

func (u *updater) changeStem(stem string, s *stemChange) {
	if !s.changed {
		return
	}
	if s.all == 0 {
		u.edit(stemKind+stem, nil)
		return
	}
	if s.short {
		u.refill(stem, s)
	}
	p := &postings{last: -1}
	for _, at := range s.pages {
		p.add(at.page, at.level, at.piece)
	}
	u.edit(stemKind+stem, p.value(s.all))
}
