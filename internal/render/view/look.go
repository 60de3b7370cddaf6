package view

import "vitrine/internal/site"

// Look is the theme's data from the settings.
type Look struct {
	// Stylesheet is the stylesheet with the custom properties from the settings. Link it after the theme's stylesheet. It may be empty.
	Stylesheet      site.Ref
	OwnStylesheet   site.Ref // the site's `assets/site.css`, to be linked last, or empty
	Logo            *Logo    // the logo
	LogoDark        *Logo    // the logo of the dark scheme, if it differs
	Favicon         *Icon    // the icon from the settings, otherwise `assets/favicon.svg`
	Mark            site.Ref // the settings' icon, which is next to the site's name if there is no logo; or empty
	Scheme          string   // `auto`, `light`, or `dark`
	ThemeColorLight string   // the background of the light scheme: the first `--paper` in `assets/style.css`, or derived from the accent, or empty
	ThemeColorDark  string   // the background of the dark scheme
}

// Logo is a logo, with its size in pixels.
type Logo struct {
	Path   site.Ref // the file
	Width  int      // in pixels, 0 if unknown
	Height int      // in pixels
}

// Icon is an icon, with its media type.
type Icon struct {
	Path site.Ref // the file
	Type string   // its media type
}
