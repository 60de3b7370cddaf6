// Package rooms holds no code. Its test keeps the rules of the house that
// docs/architecture.md gives: which room may import which.
package rooms
