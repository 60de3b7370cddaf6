package openapi

import "vitrine/internal/artifact"

// schema describes an object type of specification §2 or §7. An object may have additional members, because adding
// members doesn't change the version.
type schema struct {
	name, description string
	properties        []property
}

// property is a member of an object type.
type property struct {
	name     string
	required bool
	value    object
}

// schemas returns the object types of the specification. All schemas in the document come from this table.
func schemas() []schema {
	return []schema{
		{"ProductInformation", "Public facts about the product. Members may be added at any time; clients ignore unknown members.", []property{
			{"name", true, text("The product's name.")},
			{"url", true, uri("The product's home page.")},
			{"description", true, text("The product's description.")},
			{"audience", true, texts("The product's audience.")},
			{"capabilities", true, texts("The product's capabilities.")},
			{"pricing", true, described("Pricing", "The published price list.")},
			{"gettingStarted", false, described("GettingStarted", "How a customer gets started.")},
			{"schemaType", false, text("The product's type in schema.org.")},
			{"applicationCategory", false, text("The kind of software.")},
			{"operatingSystem", false, text("The systems that the software runs on.")},
			{"contact", true, formatted("email", "The address to write to.")},
			{"updated", false, text("When these facts last changed: a date, or a time in the format of RFC 3339.")},
			{"links", true, object{
				{"type", "object"},
				{"description", "Further public pages, by name. The publisher chooses the names."},
				{"additionalProperties", object{{"type", "string"}, {"format", "uri"}}},
			}},
		}},
		{"Pricing", "The published price list.", []property{
			{"currency", true, text("The currency of all prices, an ISO 4217 code.")},
			{"billingPeriod", true, text("The period that a price covers.")},
			{"creditDefinition", true, text("The definition of one credit, or a statement that there are no credits.")},
			{"unlimitedReps", true, flag("Whether no plan limits how many people may use it.")},
			{"unlimitedTeams", true, flag("Whether every plan includes any number of teams.")},
			{"plans", true, object{
				{"type", "array"},
				{"description", "The published monthly plans."},
				{"items", ref("schemas", "Plan")},
			}},
			{"onRequest", false, object{
				{"type", "array"},
				{"description", "Plans whose price is not published."},
				{"items", ref("schemas", "PlanOnRequest")},
			}},
			{"url", true, uri("The page that shows the prices.")},
		}},
		{"Plan", "A published monthly plan.", []property{
			{"name", true, text("The plan's name.")},
			{"monthlyPrice", true, object{{"type", "number"}, {"description", "The price per month, in the currency of the price list."}}},
			{"includedCredits", true, whole("The credits included per month, or 0.")},
			{"yearlyPrice", false, object{{"type", "number"}, {"description", "The price per year, if customers can pay yearly."}}},
			{"note", false, text("A line about the plan.")},
			{"features", false, texts("The plan's features.")},
			{"link", false, uri("The address to get the plan.")},
			{"highlight", false, flag("Whether most customers want this plan.")},
		}},
		{"PlanOnRequest", "A plan whose price is not published.", []property{
			{"name", true, text("The plan's name.")},
			{"note", false, text("A line about the plan.")},
			{"features", false, texts("The plan's features.")},
			{"link", false, uri("The address to request the plan.")},
		}},
		{"GettingStarted", "How a customer gets started.", []property{
			{"offer", false, text("The offer for new customers.")},
			{"steps", false, texts("The steps to take, in order.")},
			{"demo", false, uri("A demonstration.")},
		}},
		{"Problem", "What went wrong and what to do about it (RFC 9457).", []property{
			{"type", true, uri("Identifies the type of problem, and links to a page about it.")},
			{"title", true, text("Identifies the type of problem; the same in every response of the type.")},
			{"status", true, whole("The HTTP status.")},
			{"detail", true, text("What happened.")},
			{"resolution", true, text("A solution for the client.")},
			{"violated-policies", false, texts("The rate-limit policies that the request exceeded, with status 429.")},
		}},
	}
}

// discoverySchema returns the schema of the discovery path's body.
func discoverySchema() object {
	return object{
		{"description", "The product information and the address of the interface's description."},
		{"allOf", array{
			ref("schemas", "ProductInformation"),
			object{
				{"type", "object"},
				{"properties", object{
					{artifact.DescriptionMember, uri("The OpenAPI description of this interface.")},
				}},
				{"required", array{artifact.DescriptionMember}},
			},
		}},
	}
}

// schemaComponents returns all schemas, keyed by name.
func schemaComponents() object {
	var components object
	for _, s := range schemas() {
		components = append(components, member{s.name, s.object()})
		if s.name == "ProductInformation" {
			components = append(components, member{"DiscoveryInformation", discoverySchema()})
		}
	}
	return components
}

// object returns s as a JSON Schema object.
func (s schema) object() object {
	var properties object
	var required array
	for _, p := range s.properties {
		properties = append(properties, member{p.name, p.value})
		if p.required {
			required = append(required, p.name)
		}
	}
	result := object{{"type", "object"}, {"description", s.description}, {"properties", properties}}
	if required != nil {
		result = append(result, member{"required", required})
	}
	return append(result, member{"additionalProperties", true})
}

func text(description string) object {
	return object{{"type", "string"}, {"description", description}}
}

func formatted(format, description string) object {
	return object{{"type", "string"}, {"format", format}, {"description", description}}
}

func uri(description string) object {
	return formatted("uri", description)
}

func texts(description string) object {
	return object{{"type", "array"}, {"description", description}, {"items", object{{"type", "string"}}}}
}

func flag(description string) object {
	return object{{"type", "boolean"}, {"description", description}}
}

func whole(description string) object {
	return object{{"type", "integer"}, {"description", description}}
}

// described returns a reference to the schema called name, with a description of its use.
func described(name, description string) object {
	return append(ref("schemas", name), member{"description", description})
}
