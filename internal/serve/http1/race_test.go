//go:build race

package http1

// allocations is the maximum average number of allocations per request. Under the race detector, a sync.Pool sometimes
// drops items on purpose.
const allocations = 2
