package artifact

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// fits agrees with classify no matter where and how often the path occurs in a string.
func TestFitsAgreesWithClassify(t *testing.T) {
	paths := []string{"/a", "/aa", "/a/a", "/a/b/a", "/a/ü", "/a.md", "/ü", "/", "", "/b c", "/b c/"}
	parts := []string{"/a", "a", "aa", "/%C3%BC", "ü", "7", "", "application/a", ".html", "\x00", "\x01", "\x02", "/b", "/b%20c"}
	random := rand.New(rand.NewPCG(3, 4))
	text := func() (s string) {
		for range random.IntN(4) {
			s += parts[random.IntN(len(parts))]
		}
		return s
	}
	names := []string{"Link", FieldMarkdownTokens}
	fields := func() (all []Field) {
		for range random.IntN(3) {
			all = append(all, Field{Name: names[random.IntN(len(names))], Value: text()})
		}
		return all
	}
	fitted := 0
	for range 200_000 {
		one, other := stem(paths[random.IntN(len(paths))]), stem(paths[random.IntN(len(paths))])
		class, _ := classify(one, escapedPath(one), text(), fields())
		file, given := text(), fields()
		if random.IntN(2) == 0 {
			// A variant made by filling the holes of a class usually fits that class.
			file = Fill(class.File, other, 7)
			given = slices.Clone(class.Fields)
			for i := range given {
				given[i].Value = Fill(given[i].Value, other, 7)
			}
		}
		want, argument := classify(other, escapedPath(other), file, given)
		same := want.File == class.File && slices.Equal(want.Fields, class.Fields)
		got, ok := class.fits(other, escapedPath(other), file, given)
		if ok != same || ok && got != argument {
			t.Fatalf("%q of %q in %q: %d, %t; want %d, %t", given, other, class, got, ok, argument, same)
		}
		if ok {
			fitted++
		}
	}
	if fitted < 1000 {
		t.Errorf("only %d classes fit", fitted)
	}
}
