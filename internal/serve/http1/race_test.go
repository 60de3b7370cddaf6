//go:build race

package http1

// allocations are those that a request may cost on average: under the race
// detector a sync.Pool drops what it is given now and then, on purpose.
const allocations = 2
