// Package view has the data that templates see: a page, the site, and the files in `text/`. Templates can use every exported
// field and method of it, so functions that only rendering needs are not methods.
package view

import "vitrine/internal/site"

// View is the data for a layout. The built-in layouts pass on a part, as in `{{template "sidebar" .Page}}`.
type View struct {
	Site    *Site         // the site and its settings
	Product *site.Product // product.yaml
	Page    *Page         // the page to render
}
