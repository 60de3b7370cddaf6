// Package templates is the default theme: the layouts of pages, as HTML and as their Markdown twins, the stylesheet and icon
// that they share, the plain-text files for machines, and the theme's own pages. It guarantees that the theme needs only the
// files in FS: no font, and no other host. Every page works without its scripts. A site's file with the same path replaces one
// of these.
package templates

import "embed"

// FS holds the theme's files. Its folders are layouts (one .html and one .md per layout, and base.html, the skeleton of every
// HTML page), partials (fragments that the layouts share, .html and .md), assets (published under hashed names), text
// (llms.txt, robots.txt, security.txt), pages (Markdown sources that are templates, in English), worded (versions of text-heavy
// pages, made from words for sites in other languages), cli (the command-line tool), words (the theme's own strings, one file
// per language), components (the HTML of directives), and icons (icons for sections).
//
//go:embed components icons layouts partials assets text pages worded cli words
var FS embed.FS
