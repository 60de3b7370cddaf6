// Package supply lists the components of the programs: their modules, the modules' licenses, and a bill of materials.
// goreleaser, which creates releases, runs the command in the folder material to write this data to files.
package supply
