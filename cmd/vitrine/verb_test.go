package main

import (
	"bytes"
	"testing"
)

// Declaring the flags of a command has no side effects, and the flags include all common flags of the command.
func TestVerbsDeclareTheirFlags(t *testing.T) {
	for _, v := range verbs() {
		var out bytes.Buffer
		flags, act := v.flags(&out)
		if out.Len() > 0 || act == nil {
			t.Errorf("%s writes %q before it runs, or has no action", v.name, out.String())
		}
		for _, name := range v.everyday {
			if flags.Lookup(name) == nil {
				t.Errorf("%s has no flag --%s", v.name, name)
			}
		}
	}
}
