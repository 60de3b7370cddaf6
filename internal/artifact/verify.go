package artifact

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"
)

// Verify reads every representation in the folder. It returns the joined errors for all damaged and missing
// representations, but stops after about a thousand errors. In a sparse build, missing representations aren't errors.
// If ctx is canceled, Verify returns only ctx's error.
func (b *Build) Verify(ctx context.Context) error { return b.verify(ctx, func() {}) }

// VerifyInBackground is like Verify, for a program that serves at the same time. It alternates between a millisecond of
// reading and a pause of the same length. Without the pauses, requests to a server with a single processor would wait
// until the scheduler preempts the verification.
func (b *Build) VerifyInBackground(ctx context.Context) error {
	const turn, longest = time.Millisecond, 10 * time.Millisecond
	begun := time.Now()
	return b.verify(ctx, func() {
		if read := time.Since(begun); read >= turn {
			time.Sleep(min(read, longest))
			begun = time.Now()
		}
	})
}

// verify implements Verify. It calls rest after each resource.
func (b *Build) verify(ctx context.Context, rest func()) error {
	const most = 1000
	var problems []error
	var buffer []byte
	memory := func(n int) []byte {
		buffer = slices.Grow(buffer[:0], n)[:n]
		return buffer
	}
	read := make([]bool, b.Manifest.BodyCount()) // a page's Markdown variant and its twin share bodies
	for route := range b.Manifest.Routes() {
		for i := range route.Variants() {
			v := route.Variant(i)
			first, count := b.Manifest.Bodies(v)
			for body := first; body < first+BodyIndex(count); body++ {
				if read[body] {
					continue
				}
				read[body] = true
				if _, err := b.readHere(v, body, memory); err != nil && !(b.Sparse() && errors.Is(err, os.ErrNotExist)) {
					problems = append(problems, err)
				}
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		rest()
		if len(problems) >= most {
			break
		}
	}
	return errors.Join(problems...)
}
