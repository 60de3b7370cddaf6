// Package supply says what the programs are made of: their modules, the licences
// of these, and a bill of materials. The program in material writes what goes
// into releases; goreleaser, which makes them, calls it.
package supply
