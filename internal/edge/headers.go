package edge

import "vitrine/internal/artifact"

// fixedHeader is the header of an answer that has no body.
type fixedHeader struct {
	name   string
	fields []artifact.Field
}

// fixedHeaders are the headers of the answers to OPTIONS and of redirects:
// those that internal/serve sends, as the differential test proves.
func fixedHeaders() []fixedHeader {
	options := []artifact.Field{
		{Name: "Allow", Value: artifact.Allow},
		{Name: "Cache-Control", Value: artifact.ErrorCacheControl},
		{Name: "X-Content-Type-Options", Value: "nosniff"},
	}
	operation := append(options[:len(options):len(options)], artifact.CORSFields()...)
	return []fixedHeader{
		{"options", options},
		{"operation", operation},
		{"preflight", append(operation[:len(operation):len(operation)],
			artifact.Field{Name: "Access-Control-Allow-Methods", Value: artifact.Allow},
			artifact.Field{Name: "Access-Control-Allow-Headers", Value: "If-Match, If-None-Match"},
			artifact.Field{Name: "Access-Control-Max-Age", Value: "86400"},
		)},
		{"redirect", []artifact.Field{
			{Name: "Cache-Control", Value: artifact.PageCacheControl},
			{Name: "CDN-Cache-Control", Value: artifact.CDNCacheControl},
			{Name: "Content-Length", Value: "0"},
			{Name: "X-Content-Type-Options", Value: "nosniff"},
		}},
	}
}
