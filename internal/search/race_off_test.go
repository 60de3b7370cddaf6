//go:build !race

package search_test

// raced says that the race detector watches, under which everything takes ten times as long.
const raced = false
