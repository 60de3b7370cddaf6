package view

import "vitrine/internal/site"

// Look contains the files and colors that Vitrine generates from `theme` in `site.yaml`.
type Look struct {
	// Stylesheet is the address of the stylesheet with the custom properties from the settings, or empty. Link to it
	// after the theme's stylesheet.
	Stylesheet      site.Ref
	OwnStylesheet   site.Ref // the address of the site's `assets/site.css`, or empty; link it last
	Logo            *Logo    // the logo
	LogoDark        *Logo    // the logo for the dark color scheme, if it differs from `.Logo`
	Favicon         *Icon    // the icon from the settings, or `assets/favicon.svg`
	Mark            site.Ref // the icon from the settings, to show next to the site's name; empty if there is a logo, or if the settings contain no icon
	Scheme          string   // the color scheme: `light`, `dark`, or `auto` for the reader's preference
	ThemeColorLight string   // the background color of the light scheme, such as `#fffdf9`, or empty
	ThemeColorDark  string   // the background color of the dark scheme, or empty
}

// Logo is a logo and its size.
type Logo struct {
	Path   site.Ref // the address of the file
	Width  int      // the width in pixels; 0 if unknown
	Height int      // the height in pixels; 0 if unknown
}

// Icon is the icon that browsers show in a tab.
type Icon struct {
	Path site.Ref // the address of the file
	Type string   // the icon's media type, such as `image/svg+xml`
}
