// Package corpus generates sites of any size from a seed, for benchmarks. The same seed and size always produce the
// same bytes. The sites for Vitrine and for its peers contain the same text and use equivalent layouts.
package corpus

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"time"
)

// Post is an article of a corpus.
type Post struct {
	// Name is the file's name without its extension.
	Name        string
	Title       string
	Description string
	Date        time.Time
	Tags        []string
	// Body is Markdown of 600 to 1,200 words, with headings, lists, links to other posts and other sites, code, and a
	// table.
	Body string
}

// Posts generates n posts, one at a time, so that a large corpus needs little memory.
func Posts(n int, seed uint64) iter.Seq[Post] {
	return func(yield func(Post) bool) {
		for i := range n {
			if !yield(At(i, seed)) {
				return
			}
		}
	}
}

// At generates post number i, counted from 0. Each post has its own random numbers, so a larger corpus starts with the
// posts of a smaller one.
func At(i int, seed uint64) Post {
	w := writer{random: rand.New(rand.NewPCG(seed, uint64(i))), vocabulary: vocabulary()}
	return w.post(i)
}

// Source returns the content of the post's file: YAML front matter, then the body. The content is the same for all
// generators.
func (p Post) Source() string {
	return fmt.Sprintf("---\ntitle: %q\ndescription: %q\ndate: %s\ntags: [%s]\n---\n\n%s",
		p.Title, p.Description, p.Date.Format(time.DateOnly), strings.Join(p.Tags, ", "), p.Body)
}

// Edited returns the post with one sentence changed. Each round has a different sentence.
func (p Post) Edited(round int) Post {
	heading, rest, _ := strings.Cut(p.Body, "\n\n")
	_, rest, _ = strings.Cut(rest, ". ")
	p.Body = fmt.Sprintf("%s\n\n%s. %s", heading, EditedSentence(round), rest)
	return p
}

// EditedSentence returns the sentence that Edited writes, without the period.
func EditedSentence(round int) string {
	return fmt.Sprintf("This sentence was written in round %d of the measurement", round)
}

// name returns the name of post number i.
func name(i int) string { return fmt.Sprintf("post-%05d", i) }
