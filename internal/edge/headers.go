package edge

import "vitrine/internal/artifact"

// fixedHeader is the header of an answer that has no body.
type fixedHeader struct {
	name   string
	fields []artifact.Field
}

// fixedHeaders are the headers of the answers to OPTIONS and of redirects.
func fixedHeaders() []fixedHeader {
	return []fixedHeader{
		{"options", artifact.OptionsFields()},
		{"operation", artifact.OperationOptionsFields()},
		{"preflight", artifact.PreflightFields()},
		{"redirect", artifact.RedirectFields()},
	}
}
