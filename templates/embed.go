// Package templates contains the default theme: the layouts of pages in HTML and Markdown, stylesheets, scripts, and
// icons, the plain-text files for programs, and the theme's pages. The theme needs only the files in FS. It doesn't use
// web fonts, and doesn't load files from other hosts. Every page works without its scripts. A site's file with the same
// path replaces the theme's.
package templates

import "embed"

// FS contains the theme's files, in these folders:
//
//   - layouts: an .html and an .md file for each layout, and base.html, the skeleton of every HTML page
//   - partials: fragments that layouts share, in .html and .md files
//   - components: the HTML of directives
//   - icons: icons for sections and templates
//   - assets: files that are published under hashed names
//   - text: plain-text files, such as llms.txt and robots.txt
//   - pages: templates of Markdown pages, in English
//   - worded: templates of those pages that are mostly text, for sites in other languages; they take their text from words
//   - words: the theme's strings, one file for each language
//   - cli: the command-line tool
//
//go:embed components icons layouts partials assets text pages worded cli words
var FS embed.FS
