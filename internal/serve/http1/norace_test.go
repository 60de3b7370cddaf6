//go:build !race

package http1

// allocations is the maximum average number of allocations per request.
const allocations = 0
