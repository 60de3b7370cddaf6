// Package templates is the default theme: the layouts in which pages are set,
// as HTML and as the Markdown twin of the same facts, the stylesheet and icon
// they share, the plain-text files for machines, and the pages that the theme
// itself provides. It promises that the theme needs nothing that is not in FS:
// no font, no host but the site's own, and that every page is whole without its
// scripts. A site's own file of the same path replaces one of these.
package templates

import "embed"

// FS holds the theme's files. Its folders are layouts (one .html and one .md
// per layout, and base.html, the skeleton of every HTML page), partials
// (fragments that the layouts share, .html and .md), assets (emitted under hashed names),
// text (llms.txt, robots.txt, security.txt), pages (Markdown sources that are
// templates themselves, in English), worded (those of them that are mostly text, made of words for sites
// in other languages), cli (the command-line tool), words (what the theme says
// beside a site's own text, a file a language) components (the HTML of what
// directives name) and icons (drawings that sections name).
//
//go:embed components icons layouts partials assets text pages worded cli words
var FS embed.FS
