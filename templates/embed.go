// Package templates contains the default theme: the layouts of pages in HTML and Markdown, stylesheets, scripts, and icons,
// the plain-text files for programs, and the theme's own pages. The theme needs only the files in FS: no font, and no other
// host. Every page works without its scripts. A site's file with the same path replaces the theme's.
package templates

import "embed"

// FS contains the theme's files, in these folders: layouts (one .html and one .md file per layout, and base.html, the skeleton
// of every HTML page), partials (fragments that layouts share, .html and .md), assets (published under hashed names), text
// (such as llms.txt and robots.txt), pages (templates of Markdown pages, in English), worded (the same for pages that are
// mostly text, with words for sites in other languages), cli (the command-line tool), words (the theme's strings, one file per
// language), components (the HTML of directives), and icons (icons for sections and templates).
//
//go:embed components icons layouts partials assets text pages worded cli words
var FS embed.FS
