//go:build !linux

package publish

func exchange(a, b string) error { return exchangeInSteps(a, b) }
