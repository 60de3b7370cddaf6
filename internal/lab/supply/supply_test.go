package supply

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/project/dependencies.md again")

const document = "../../../docs/project/dependencies.md"

// docs/project/dependencies.md lists every module of the programs and their tests, with the license found in the
// module's folder.
func TestDependenciesAreListed(t *testing.T) {
	want, err := dependencies(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(document, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/project/dependencies.md is out of date; run go test ./internal/lab/supply -update and read the diff")
	}
}

// docs/project/decisions.md gives a reason for each direct dependency in go.mod.
func TestDependenciesHaveReasons(t *testing.T) {
	reasons, err := os.ReadFile("../../../docs/project/decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := Modules(t.Context(), "../../..", nil, "-test", "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		if row := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(m.Path) + ` \| .+$`); m.Direct && !row.Match(reasons) {
			t.Errorf("%s has no row among the dependencies in docs/project/decisions.md", m.Path)
		}
	}
}

func dependencies(ctx context.Context) (string, error) {
	lists := make(map[string][]Module)
	for name, arguments := range map[string][]string{"vitrine": {"./cmd/vitrine"}, "vitrined": {"./cmd/vitrined"}, "tests": {"-test", "./..."}} {
		for _, p := range Platforms() {
			modules, err := Modules(ctx, "../../..", p.Environment(), arguments...)
			if err != nil {
				return "", err
			}
			lists[name] = Merged(lists[name], modules)
			if name == "tests" {
				break // the tests' modules are the same on every platform
			}
		}
	}
	var b strings.Builder
	b.WriteString(`<!-- ---
description: "Every module in the programs and their tests, with its license."
sidebar: Dependencies
order: 11
aliases: [/dependencies]
--- -->

# Dependencies and their licenses <a id="the-dependencies-and-their-licences"></a>

This table lists every Go module in Vitrine's programs and tests, with its license as an SPDX expression. *Programs* names the programs that
contain the module, or *tests* if only tests need it. *Imported by* is *Vitrine* if our code imports the module. Otherwise, it lists the modules
that import it. [Decisions](decisions.md#dependencies-each-with-its-reason) gives the reason for each module that our code imports.

Module and version | License | Programs | Imported by
---|---|---|---
`)
	for _, m := range Merged(lists["tests"], lists["vitrine"], lists["vitrined"]) {
		by := strings.Join(m.ImportedBy, ", ")
		if m.Direct {
			by = "Vitrine"
		}
		fmt.Fprintf(&b, "`%s@%s` | %s | %s | %s\n", m.Path, m.Version, m.License, programs(lists, m), by)
	}
	return b.String(), nil
}

// programs returns the programs that contain m, or "tests" if only the tests need it.
func programs(lists map[string][]Module, m Module) string {
	var names []string
	for _, name := range []string{"vitrine", "vitrined"} {
		if slices.ContainsFunc(lists[name], func(other Module) bool { return other.Path == m.Path }) {
			names = append(names, name)
		}
	}
	return cmp.Or(strings.Join(names, ", "), "tests")
}

// The archives include the licenses of embedded fonts, stemmers, and tables.
func TestDataLicenses(t *testing.T) {
	texts, err := DataLicenses("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"internal/image/card/noto\n", "SIL OPEN FONT LICENSE", "internal/image/card/dejavu\n", "Bitstream", "internal/search/stemmers\n", "internal/locale\n"} {
		if !strings.Contains(texts, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// identify recognizes licenses by their text and returns "" for unknown ones.
func TestIdentify(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004\n":                                                  "Apache-2.0",
		"Redistribution and use in source\nand binary forms … may be used to endorse or promote products": "BSD-3-Clause",
		"Redistribution and use in source and binary forms":                                               "BSD-2-Clause",
		"Neither the name of … Apache License Version 2.0, January 2004 … The MIT License (MIT)":          "BSD-3-Clause AND Apache-2.0 AND MIT",
		"You may do as you please.": "",
	} {
		if got := identify(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
