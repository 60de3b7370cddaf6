package apidoc

// description is the part of an OpenAPI description that the reference pages show.
type description struct {
	tags    []tagInfo
	servers []server
	schemes map[string]*securityScheme
	// paths are the API's paths in file order.
	paths []*pathItem
}

// tagInfo is a declared tag.
type tagInfo struct{ name, description string }

// server is an API server. variables contains the default values of the variables in its URL.
type server struct {
	url       string
	variables map[string]string
}

// securityScheme is a way to authenticate. in and name are the location and the name of an API key.
type securityScheme struct {
	kind, scheme, in, name, description string
}

// pathItem is a path with its operations by HTTP method, in upper case.
type pathItem struct {
	path       string
	operations map[string]*definition
}

// definition is an operation as the description defines it.
type definition struct {
	tags                     []string
	id, summary, description string
	deprecated               bool
	// parameters are the parameters of the operation and of its path.
	parameters []*parameter
	// body is nil if the operation has no request body.
	body *body
	// responses are sorted by status, with "default" last.
	responses []response
	// security contains the names of the security schemes, or the API's if the operation specifies none.
	security []string
}

// parameter is a parameter of an operation. in is path, query, header, or cookie.
type parameter struct {
	name, in, description string
	required, deprecated  bool
	schema                *schema
	// example is nil if there is none.
	example any
}

// body is the body of a request or a response.
type body struct {
	description string
	// content has each media type once, JSON first.
	content []mediaType
}

// response is the response of an operation with a status such as 200, 4XX, or default.
type response struct {
	status string
	body
}

// mediaType is one representation of a body, such as application/json.
type mediaType struct {
	name   string
	schema *schema
	// example is nil if there is none.
	example any
}

// schema is a JSON Schema. All references to a schema share it, and it may contain itself.
type schema struct {
	// name is the last part of the first reference to the schema, such as Order in #/components/schemas/Order. It is ""
	// if nothing references the schema.
	name                       string
	title, description, format string
	types                      []string
	nullable, deprecated       bool
	items                      *schema
	properties                 map[string]*schema
	required                   []string
	allOf, oneOf, anyOf        []*schema
	// The following values are nil if they are missing or null.
	enum                        []any
	constant, initial, example  any
	minimum, maximum, maxLength any
}
