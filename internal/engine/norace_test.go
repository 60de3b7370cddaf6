//go:build !race

package engine

// allocations are those that a request may cost on average.
const allocations = 0
