// Package soak proves what vitrined promises under load, faults and bad input:
// no failed request while builds are loaded, none lost at the end, bounded
// memory whatever clients do, and recovery when a shortage is over. The tests
// are the short form; the program in run, which make soak starts, is the long
// one and prints a table.
//
// It runs the real program on 127.0.0.1, sends real bytes, and holds every body
// against the hash that its ETag names, so that a torn or mixed answer counts
// as failed.
package soak
