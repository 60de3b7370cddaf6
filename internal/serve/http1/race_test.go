//go:build race

package http1

// allocations is the average number of allocations that a request may cost. Under the race
// detector, a sync.Pool deliberately drops items now and then.
const allocations = 2
