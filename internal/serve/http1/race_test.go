//go:build race

package http1

// allocations is the maximum average number of allocations per request. Under the race detector, a sync.Pool
// deliberately drops items now and then.
const allocations = 2
