package main

import (
	"flag"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the expected outputs of the scripts anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"vitrine": main})
}

// TestScripts runs complete sessions: each script contains a site, commands, and their expected output. go test
// ./cmd/vitrine -update rewrites the expected output.
func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

// runScripts runs the scripts in dir in parallel.
func runScripts(t *testing.T, dir string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Dir:           dir,
		UpdateScripts: *update,
		Cmds:          scriptCommands(),
		Setup: func(env *testscript.Env) error {
			// All builds of a script use this time.
			env.Setenv("SOURCE_DATE_EPOCH", "1790000000")
			env.Setenv("HOME", env.WorkDir)
			return nil
		},
	})
}
