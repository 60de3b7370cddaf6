// Package supply lists the programs' components: their modules, the modules' licenses, and a bill
// of materials. The program in material writes the files for releases; goreleaser, which makes
// them, calls it.
package supply
