//go:build !race

package http1

// allocations are those that a request may cost on average.
const allocations = 0
