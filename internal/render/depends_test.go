package render

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"vitrine/internal/codec"
	"vitrine/internal/render/view"
)

// The hash of a page's dependencies covers all data in its view that comes from other pages. The test fails if the hash
// omits a new field of a view.
func TestDependsOnEveryField(t *testing.T) {
	// These fields come from the page's source or are derived from other fields.
	own := map[string]bool{
		"Metadata": true, "Content": true, "Headings": true, "Words": true, "Minutes": true, "Params": true, "picture": true, "Landing": true, "HasHero": true,
		"Config": true, "Updated": true, "Modified": true,
		// The settings, the facts, or the hash of a section's tree cover these fields.
		"Look": true, "API": true, "Sidebar": true, "places": true,
		// The page's key includes the fingerprints of its images.
		"Picture": true, "path": true, "shown": true, "Image": true,
	}
	for _, of := range []struct {
		fresh func() any
		write func(*codec.Writer, any)
	}{
		{func() any { return new(view.Page) }, func(w *codec.Writer, v any) { writePage(w, v.(*view.Page)) }},
		{func() any { return new(view.Site) }, func(w *codec.Writer, v any) { writeSite(w, v.(*view.Site)) }},
		{func() any { return new(view.Summary) }, func(w *codec.Writer, v any) { writeSummary(w, v.(*view.Summary)) }},
		{func() any { return new(view.Pagination) }, func(w *codec.Writer, v any) {
			writePage(w, &view.Page{Pagination: v.(*view.Pagination)})
		}},
		{func() any { return new(view.SearchSection) }, func(w *codec.Writer, v any) {
			writePage(w, &view.Page{Sections: []view.SearchSection{*v.(*view.SearchSection)}})
		}},
		{func() any { return new(view.Tag) }, func(w *codec.Writer, v any) { writePage(w, &view.Page{TagLinks: []view.Tag{*v.(*view.Tag)}}) }},
		{func() any { return new(view.Author) }, func(w *codec.Writer, v any) { writeAuthors(w, []view.Author{*v.(*view.Author)}) }},
		{func() any { return new(view.Series) }, func(w *codec.Writer, v any) { writeSeries(w, v.(*view.Series)) }},
		{func() any { return new(view.SeriesPart) }, func(w *codec.Writer, v any) {
			writeSeries(w, &view.Series{Parts: []view.SeriesPart{*v.(*view.SeriesPart)}})
		}},
		{func() any { return new(view.ShownPicture) }, func(w *codec.Writer, v any) { writePicture(w, v.(*view.ShownPicture)) }},
		{func() any { return new(view.NavigationEntry) }, func(w *codec.Writer, v any) {
			writeSite(w, &view.Site{Navigation: []view.NavigationEntry{*v.(*view.NavigationEntry)}})
		}},
		{func() any { return new(view.Look) }, func(w *codec.Writer, v any) { writeSite(w, &view.Site{Look: v.(*view.Look)}) }},
		{func() any { return new(view.Logo) }, func(w *codec.Writer, v any) { writeLook(w, &view.Look{Logo: v.(*view.Logo)}) }},
		{func() any { return new(view.Icon) }, func(w *codec.Writer, v any) { writeLook(w, &view.Look{Favicon: v.(*view.Icon)}) }},
		{func() any { return new(view.Link) }, func(w *codec.Writer, v any) { writeSite(w, &view.Site{Feeds: []view.Link{*v.(*view.Link)}}) }},
		{func() any { return new(view.Language) }, func(w *codec.Writer, v any) {
			writePage(w, &view.Page{Languages: []view.Language{*v.(*view.Language)}})
		}},
		{func() any { return new(view.PageVersion) }, func(w *codec.Writer, v any) {
			writePage(w, &view.Page{Versions: []view.PageVersion{*v.(*view.PageVersion)}})
		}},
		{func() any { return new(view.OldVersion) }, func(w *codec.Writer, v any) { writePage(w, &view.Page{Old: v.(*view.OldVersion)}) }},
		{func() any { return new(view.Section) }, func(w *codec.Writer, v any) { writePage(w, &view.Page{Section: v.(*view.Section)}) }},
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

// other sets v, the zero value of a field, to another value.
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
