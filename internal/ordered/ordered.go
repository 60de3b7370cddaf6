// Package ordered processes items in parallel and delivers the results in the order of the items, so that the output
// doesn't depend on which result was ready first. The number of waiting results is bounded, so memory doesn't grow with
// the number of items.
package ordered

import (
	"context"
	"runtime"
	"sync"
)

// Each calls work for every item, on as many goroutines as there are processors, and done for every result, one at a
// time, in the order of the items. It returns the first error from work or done in that order, or the error of ctx.
// After an error, Each starts no more work. All work has ended when Each returns.
func Each[T, R any](ctx context.Context, items []T, work func(context.Context, T) (R, error), done func(R) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	type outcome struct {
		result R
		err    error
	}
	type job struct {
		item T
		out  chan outcome
	}
	workers := runtime.GOMAXPROCS(0)
	jobs := make(chan job)
	// The capacity of the queue limits the number of results that wait for done.
	queue := make(chan chan outcome, 8*workers)

	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	for range workers {
		running.Go(func() {
			for j := range jobs {
				r, err := work(ctx, j.item)
				j.out <- outcome{r, err}
			}
		})
	}
	running.Go(func() {
		defer close(jobs)
		defer close(queue)
		for _, item := range items {
			out := make(chan outcome, 1)
			select {
			case queue <- out:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- job{item, out}:
			case <-ctx.Done():
				// Send a result, because the loop below waits for every channel in the queue.
				out <- outcome{err: ctx.Err()}
				return
			}
		}
	})
	for out := range queue {
		o := <-out
		if o.err != nil {
			return o.err
		}
		if err := done(o.result); err != nil {
			return err
		}
	}
	return ctx.Err()
}
