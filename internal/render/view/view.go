// Package view has the data that templates see: a page, the site, and the files in `text/`. Templates can use all exported
// fields and methods, so a function that only rendering needs isn't a method.
package view

import "vitrine/internal/site"

// View is the data for a layout. The built-in layouts pass on a part, as in `{{template "sidebar" .Page}}`.
type View struct {
	Site    *Site         // the site and its settings
	Product *site.Product // product.yaml
	Page    *Page         // the page to render
}
