// Package preview shows editors their site while they write it: it watches the
// site's folder, builds it again when something in it changes, serves the
// newest good build as production does, and has open pages reload. Under
// every page it puts a bar, and over it what is wrong, with the place and the
// line.
//
// It promises that no change is lost, whatever comes between and however fast;
// that the last good build stays served while the site has errors; that what it
// serves, drafts among it, can be read by this machine's user alone, and by no
// page of another site that the same browser has open; and that it writes
// nothing at all: where a build goes is the affair of who gives it one.
package preview
