package openapi

import (
	"strconv"
	"strings"

	"vitrine/internal/artifact"
)

// path describes one of the URL paths that serve the operation.
type path struct {
	path string
	// id is the suffix of the path's operation IDs. The prefix is the method.
	id string
	// summary and description describe GET.
	summary, description string
	// response is the name of the component for the 200 response to GET.
	response string
	// versioned reports whether the path contains an API version, which may be retired.
	versioned bool
}

func paths() []path {
	return []path{
		{artifact.OperationPath, "ProductInformation", "Get product information",
			"Returns the public product information. This path is the stable v1 contract: members may be added, and a breaking change gets a new path.",
			"ProductInformation", true},
		{artifact.AliasPath, "ProductInformationByAlias", "Get product information at the original path",
			"The original path remains a supported alias of `" + artifact.OperationPath + "`: the same bytes, the same ETag.",
			"ProductInformation", false},
		{artifact.DiscoveryPath, "Discovery", "Get product information and the link to this description",
			"The entry point for discovery: the same product information, and the member `" + artifact.DescriptionMember + "`, which links to this description.",
			"DiscoveryInformation", false},
	}
}

// tag is the OpenAPI tag of all operations.
const tag = "Product information"

// item returns the path item, which describes an operation and its responses for each method.
func (p path) item(retired bool) object {
	conditions := array{ref("parameters", "If-None-Match"), ref("parameters", "If-Match")}
	get := p.operation("get", p.summary, p.description, retired)
	head := p.operation("head", strings.Replace(p.summary, "Get", "Get the header fields of", 1),
		"Returns the status and the header fields of GET, and never a body.", retired)
	options := p.operation("options", strings.Replace(p.summary, "Get", "Get the methods for", 1),
		"Returns the supported methods, and for CORS preflights the allowed headers for scripts from any origin.", retired)
	return object{
		{"get", append(get, member{"parameters", conditions}, member{"responses", append(object{
			{"200", ref("responses", p.response)}, {"304", ref("responses", "NotModified")}}, problemRefs(false)...)})},
		{"head", append(head, member{"parameters", conditions}, member{"responses", append(object{
			{"200", ref("responses", "InformationHead")}, {"304", ref("responses", "NotModified")}}, problemRefs(false)...)})},
		{"options", append(options, member{"responses", append(object{{"204", ref("responses", "Methods")}}, problemRefs(true)...)})},
	}
}

// problemRefs returns references to the problem responses of GET and HEAD, keyed by status. If early is set, it returns
// only the references to early problems, which are possible for every method; see problem.early.
func problemRefs(early bool) object {
	var refs object
	for _, p := range problems() {
		if p.early || !early {
			refs = append(refs, member{strconv.Itoa(p.types[0].Status), ref("responses", p.component)})
		}
	}
	return refs
}

// operation returns the first members of the OpenAPI object for a method at the path.
func (p path) operation(method, summary, description string, retired bool) object {
	id := method + p.id
	if p.path == artifact.OperationPath && method == "get" {
		id = artifact.OperationID
	}
	operation := object{
		{"operationId", id}, {"tags", array{tag}},
		{"summary", summary}, {"description", description},
	}
	if retired && p.versioned {
		operation = append(operation, member{"deprecated", true})
	}
	return operation
}

// parameterComponents returns the request header fields that the operation reads, with etag as their example value.
func parameterComponents(etag string) object {
	parameter := func(name, description string) member {
		return member{name, object{
			{"name", name}, {"in", "header"}, {"description", description}, {"required", false},
			{"schema", object{{"type", "string"}}}, {"example", etag},
		}}
	}
	return object{
		parameter("If-None-Match", "The ETag of a saved body, several of them, or `*`. If one is current, the response is 304."),
		parameter("If-Match", "The ETag of a saved body, several of them, or `*`. If no ETag is current, the response is 412."),
	}
}
