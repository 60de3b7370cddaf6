// Package supply tells what the programs are made of, and makes releases of
// them: the modules and their licences, a bill of materials, binaries that
// anyone can make again byte for byte, archives and checksums. The program in
// release puts it together; make release starts it.
package supply
