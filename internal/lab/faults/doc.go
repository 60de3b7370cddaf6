// Package faults proves that a build survives what happens to builds: its
// process is killed at random moments, its disk is full or read-only, another
// build runs beside it, its source changes while it is read, its content is
// hostile. The tests are the short form; the program in run, which make soak
// starts, is the long one.
//
// What is right is never guessed: every state of the site is built once more in
// peace, elsewhere, and a reader must find that build's very bytes.
package faults
