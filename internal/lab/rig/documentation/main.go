// Command documentation prints rig.DocumentationSite as a txtar archive, for the audits. Its API has 20 operations.
package main

import (
	"maps"
	"os"
	"slices"

	"golang.org/x/tools/txtar"

	"vitrine/internal/lab/rig"
)

func main() {
	files := rig.DocumentationSite(4)
	archive := new(txtar.Archive)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(files[name])})
	}
	if _, err := os.Stdout.Write(txtar.Format(archive)); err != nil {
		panic(err)
	}
}
