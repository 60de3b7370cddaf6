package render

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"vitrine/internal/codec"
)

// Everything in a page's view from other pages is in the hash of the page's dependencies: a new
// field of a view that is missing there fails here.
func TestDependsOnEveryField(t *testing.T) {
	// These come from the page's source, or are derived from the others.
	own := map[string]bool{
		"Metadata": true, "Content": true, "Headings": true, "Words": true, "Minutes": true, "Params": true, "picture": true, "facts": true, "Landing": true, "HasHero": true,
		"Config": true, "page": true, "Updated": true, "Modified": true,
		// These come from the settings and the facts, or the hash of a section's tree has them.
		"Look": true, "API": true, "Sidebar": true, "places": true,
		// The fingerprints of a page's images are in its key.
		"Picture": true, "path": true, "shown": true, "Image": true,
	}
	for _, of := range []struct {
		fresh func() any
		write func(*codec.Writer, any)
	}{
		{func() any { return new(pageView) }, func(w *codec.Writer, v any) { writePage(w, v.(*pageView)) }},
		{func() any { return new(siteView) }, func(w *codec.Writer, v any) { writeSite(w, v.(*siteView)) }},
		{func() any { return new(summary) }, func(w *codec.Writer, v any) { writeSummary(w, v.(*summary)) }},
		{func() any { return new(paginationView) }, func(w *codec.Writer, v any) {
			writePage(w, &pageView{Pagination: v.(*paginationView)})
		}},
		{func() any { return new(searchSection) }, func(w *codec.Writer, v any) {
			writePage(w, &pageView{Sections: []searchSection{*v.(*searchSection)}})
		}},
		{func() any { return new(tagView) }, func(w *codec.Writer, v any) { writePage(w, &pageView{TagLinks: []tagView{*v.(*tagView)}}) }},
		{func() any { return new(authorView) }, func(w *codec.Writer, v any) { writeAuthors(w, []authorView{*v.(*authorView)}) }},
		{func() any { return new(seriesView) }, func(w *codec.Writer, v any) { writeSeries(w, v.(*seriesView)) }},
		{func() any { return new(seriesPart) }, func(w *codec.Writer, v any) { writeSeries(w, &seriesView{Parts: []seriesPart{*v.(*seriesPart)}}) }},
		{func() any { return new(pictureView) }, func(w *codec.Writer, v any) { writePicture(w, v.(*pictureView)) }},
		{func() any { return new(navigationView) }, func(w *codec.Writer, v any) {
			writeSite(w, &siteView{Navigation: []navigationView{*v.(*navigationView)}})
		}},
		{func() any { return new(lookView) }, func(w *codec.Writer, v any) { writeSite(w, &siteView{Look: v.(*lookView)}) }},
		{func() any { return new(logoView) }, func(w *codec.Writer, v any) { writeLook(w, &lookView{Logo: v.(*logoView)}) }},
		{func() any { return new(iconView) }, func(w *codec.Writer, v any) { writeLook(w, &lookView{Favicon: v.(*iconView)}) }},
		{func() any { return new(linkView) }, func(w *codec.Writer, v any) { writeSite(w, &siteView{Feeds: []linkView{*v.(*linkView)}}) }},
		{func() any { return new(languageView) }, func(w *codec.Writer, v any) {
			writePage(w, &pageView{Languages: []languageView{*v.(*languageView)}})
		}},
		{func() any { return new(versionView) }, func(w *codec.Writer, v any) {
			writePage(w, &pageView{Versions: []versionView{*v.(*versionView)}})
		}},
		{func() any { return new(oldView) }, func(w *codec.Writer, v any) { writePage(w, &pageView{Old: v.(*oldView)}) }},
		{func() any { return new(sectionView) }, func(w *codec.Writer, v any) { writePage(w, &pageView{Section: v.(*sectionView)}) }},
	} {
		var before codec.Writer
		of.write(&before, of.fresh())
		kind := reflect.TypeOf(of.fresh()).Elem()
		for i := range kind.NumField() {
			if own[kind.Field(i).Name] {
				continue
			}
			v := of.fresh()
			other(t, reflect.ValueOf(v).Elem().Field(i))
			var after codec.Writer
			of.write(&after, v)
			if bytes.Equal(before.Data, after.Data) {
				t.Errorf("%s.%s makes no difference", kind.Name(), kind.Field(i).Name)
			}
		}
	}
}

// other sets a field to something else than its zero value.
func other(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Struct:
		v.Set(reflect.ValueOf(time.Unix(1, 0)))
	default:
		t.Fatalf("no other value of a %s is known", v.Type())
	}
}
