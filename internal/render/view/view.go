// Package view defines the data that templates get: for a page, for the site, and for the files in `text/`. Templates
// can use all exported fields and methods. Therefore, functions that only package render needs aren't methods.
package view

import "vitrine/internal/site"

// View is the data for a layout and for `text/pointer.txt`. The built-in layouts pass parts of this data to their
// partials, as in `{{template "sidebar" .Page}}`.
type View struct {
	Site    *Site         // the site and its settings
	Product *site.Product // the facts in `product.yaml`
	Page    *Page         // the page to render
}
