package visit

import (
	"context"
	"sync"
)

// Each calls ask for every item, at most AtOnce at the same time, and returns the results in the order of items. After
// an error, it starts no more calls, waits for the calls in progress, and returns the first error.
func Each[T, R any](ctx context.Context, items []T, ask func(context.Context, T) (R, error)) ([]R, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	answers := make([]R, len(items))
	next := make(chan int)
	var workers sync.WaitGroup
	for range AtOnce {
		workers.Go(func() {
			for i := range next {
				answer, err := ask(ctx, items[i])
				if err != nil {
					cancel(err)
					continue
				}
				answers[i] = answer
			}
		})
	}
	for i := range items {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	return answers, context.Cause(ctx)
}

// Sample returns an evenly spread sample of items that includes the first and the last item. most is the maximum number
// of items; 0 means all.
func Sample[T any](items []T, most int) []T {
	if most <= 0 || len(items) <= most {
		return items
	}
	if most == 1 {
		return items[:1]
	}
	chosen := make([]T, most)
	for i := range chosen {
		chosen[i] = items[i*(len(items)-1)/(most-1)]
	}
	return chosen
}
