// Package media defines the media types of generated and copied files.
package media

import (
	"path"
	"strings"
)

// Media types of generated files. RFC 7763 requires a charset for text/markdown.
const (
	HTML     = "text/html; charset=utf-8"
	Markdown = "text/markdown; charset=utf-8"
	Text     = "text/plain; charset=utf-8"
	JSON     = "application/json"
	XML      = "application/xml"
	RSL      = "application/rsl+xml"
	Atom     = "application/atom+xml; charset=utf-8"
	JSONFeed = "application/feed+json; charset=utf-8"
	Catalog  = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`
)

// Type returns the media type for the extension of name, or application/octet-stream if the extension is unknown. Type
// doesn't use the tables of the operating system, because they would make builds differ between systems.
func Type(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".csv":
		return "text/csv; charset=utf-8"
	case ".ics":
		return "text/calendar; charset=utf-8"
	case ".vtt":
		return "text/vtt; charset=utf-8"
	case ".html", ".htm":
		return HTML
	case ".md", ".markdown":
		return Markdown
	case ".txt":
		return Text
	case ".xml", ".xsl", ".xslt":
		return XML
	case ".xhtml", ".xht":
		return "application/xhtml+xml"
	case ".json", ".map":
		return JSON
	case ".webmanifest":
		return "application/manifest+json"
	case ".avif":
		return "image/avif"
	case ".gif":
		return "image/gif"
	case ".ico":
		return "image/x-icon"
	case ".jpeg", ".jpg":
		return "image/jpeg"
	case ".png":
		return "image/png"
	case ".svg":
		return "image/svg+xml"
	case ".webp":
		return "image/webp"
	case ".mp3":
		return "audio/mpeg"
	case ".ogg":
		return "audio/ogg"
	case ".wav":
		return "audio/wav"
	case ".m4a":
		return "audio/mp4"
	case ".mp4":
		return "video/mp4"
	case ".webm":
		return "video/webm"
	case ".woff":
		return "font/woff"
	case ".woff2":
		return "font/woff2"
	case ".ttf":
		return "font/ttf"
	case ".otf":
		return "font/otf"
	case ".pdf":
		return "application/pdf"
	case ".zip":
		return "application/zip"
	case ".gz":
		return "application/gzip"
	case ".wasm":
		return "application/wasm"
	case ".epub":
		return "application/epub+zip"
	case ".docx":
		return "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	case ".xlsx":
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case ".pptx":
		return "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	}
	return "application/octet-stream"
}
