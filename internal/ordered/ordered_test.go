package ordered_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/ordered"
)

// Results arrive in the order of the items, regardless of how long each item takes.
func TestEachKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		items := []int{9, 1, 8, 2, 7, 3, 6, 4, 5, 0}
		var got []int
		err := ordered.Each(t.Context(), items,
			func(_ context.Context, n int) (int, error) {
				time.Sleep(time.Duration(n) * time.Second)
				return n, nil
			},
			func(n int) error { got = append(got, n); return nil })
		if err != nil || !slices.Equal(got, items) {
			t.Errorf("got %v, %v; want %v", got, err, items)
		}
	})
}

// The first failure in order, in either function, ends the run, and later results aren't delivered.
func TestEachStopsAtFirstError(t *testing.T) {
	failure := errors.New("failed")
	for name, fail := range map[string]struct{ work, done bool }{"work": {work: true}, "done": {done: true}} {
		t.Run(name, func(t *testing.T) {
			items := make([]int, 1000)
			for i := range items {
				items[i] = i
			}
			var begun atomic.Int64
			var handed []int
			err := ordered.Each(t.Context(), items,
				func(_ context.Context, n int) (int, error) {
					begun.Add(1)
					if fail.work && n == 3 {
						return 0, failure
					}
					return n, nil
				},
				func(n int) error {
					if fail.done && n == 3 {
						return failure
					}
					handed = append(handed, n)
					return nil
				})
			if !errors.Is(err, failure) {
				t.Errorf("error %v, want %v", err, failure)
			}
			if !slices.Equal(handed, []int{0, 1, 2}) {
				t.Errorf("handed on %v, want [0 1 2]", handed)
			}
			if begun.Load() == int64(len(items)) {
				t.Error("all work was done in spite of the failure")
			}
		})
	}
}

// A canceled context ends the run with its error.
func TestEachHonorsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := ordered.Each(ctx, make([]int, 1000),
		func(context.Context, int) (int, error) { return 0, nil },
		func(int) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
