//go:build !race

package http1

// allocations is the average number of allocations that a request may cost.
const allocations = 0
