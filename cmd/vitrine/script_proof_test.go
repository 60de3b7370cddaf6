//go:build proof

package main

import "testing"

// These scripts encode large images or many formats, which takes a long time.
func TestScriptsOfImages(t *testing.T) { runScripts(t, "testdata/proof") }
