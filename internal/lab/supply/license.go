package supply

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// license specifies the phrases that identify a license in its text.
type license struct {
	// id is the SPDX expression.
	id string
	// phrases must all occur in the text, ignoring differences in white space.
	phrases []string
}

// licenses returns the licenses of the project's modules. The first license whose phrases all occur in a text applies,
// so specific licenses come first.
func licenses() []license {
	return []license{
		{"Unlicense OR BSD-3-Clause", []string{"SPDX-License-Identifier: Unlicense OR BSD-3-Clause"}},
		{"FTL OR GPL-2.0-or-later", []string{"your choice of exactly one of the following two licenses", "The FreeType License", "version 2 or later"}},
		{"Bitstream-Vera", []string{"Bitstream Vera Fonts Copyright"}},
		{"BSD-3-Clause AND Apache-2.0 AND MIT", []string{"Neither the name of", "Apache License Version 2.0, January 2004", "The MIT License (MIT)"}},
		{"Apache-2.0", []string{"Apache License Version 2.0, January 2004"}},
		{"MIT", []string{"Permission is hereby granted, free of charge, to any person obtaining a copy", "THE SOFTWARE IS PROVIDED \"AS IS\""}},
		{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "endorse or promote products"}},
		{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}},
	}
}

// identify returns the SPDX expression for a license text, or "" if the license is unknown.
func identify(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for _, l := range licenses() {
		if !slices.ContainsFunc(l.phrases, func(p string) bool { return !strings.Contains(text, p) }) {
			return l.id
		}
	}
	return ""
}

// licenseFiles returns the sorted names of the license files in a module's folder, and then in its lib folder. License
// files include patent grants and notices.
func licenseFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	names := licensesAmong("", entries)
	if entries, err = os.ReadDir(filepath.Join(dir, "lib")); err == nil {
		names = append(names, licensesAmong("lib", entries)...)
	}
	return names, nil
}

func licensesAmong(folder string, entries []os.DirEntry) (names []string) {
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		for _, begin := range []string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"} {
			if !e.IsDir() && strings.HasPrefix(upper, begin) && !strings.HasSuffix(upper, ".GO") {
				names = append(names, filepath.Join(folder, e.Name()))
			}
		}
	}
	return names
}

// License returns the SPDX expression for the license of the module in dir. It returns an error if the module contains
// no license, or if a license is unknown, because a person must read unknown licenses.
func License(dir string) (string, error) {
	names, err := licenseFiles(dir)
	if err != nil {
		return "", err
	}
	var all []string
	for _, name := range names {
		if upper := strings.ToUpper(filepath.Base(name)); strings.HasPrefix(upper, "NOTICE") || strings.HasPrefix(upper, "PATENTS") {
			continue // they accompany a license
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		id := identify(string(text))
		if id == "" {
			return "", fmt.Errorf("%s contains an unknown license; read it, and add it to the table in internal/lab/supply/license.go", filepath.Join(dir, name))
		}
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	if len(all) == 0 {
		return "", fmt.Errorf("no license found in %s; do not use this module", dir)
	}
	return strings.Join(all, " AND "), nil
}

// DataLicenses returns the license terms of third-party data, such as fonts, from all files named LICENSE under
// internal.
func DataLicenses(root string) (string, error) {
	var b strings.Builder
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() != "LICENSE" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n%s\n%s\n%[1]s\n\n%[3]s\n", strings.Repeat("=", 72), filepath.ToSlash(folder), strings.TrimSpace(string(text)))
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("reading the licenses of data: %w", err)
	}
	return b.String(), nil
}

// LicenseTexts returns the license terms that must accompany binaries containing the modules.
func LicenseTexts(modules []Module) (string, error) {
	var b strings.Builder
	b.WriteString("The programs in this archive contain these modules in addition to their own code.\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "\n%s\n%s %s (%s)\n%[1]s\n", strings.Repeat("=", 72), m.Path, m.Version, m.License)
		names, err := licenseFiles(m.Dir)
		if err != nil {
			return "", err
		}
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(m.Dir, name))
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "\n%s:\n\n%s\n", name, strings.TrimSpace(string(text)))
		}
	}
	return b.String(), nil
}
