package theme

import (
	"reflect"

	"vitrine/internal/openapi"
	"vitrine/internal/plan"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// documented returns the types of template data with their names in docs/reference/templates.md, grouped by subject. In
// each group, types that templates get directly come first, and the other types are in alphabetical order.
func documented() []typeGroup {
	return []typeGroup{
		{"Pages", []namedType{
			{"View", reflect.TypeFor[view.View]()},
			{"Page", reflect.TypeFor[view.Page]()},
			{"Author", reflect.TypeFor[view.Author]()},
			{"Heading", reflect.TypeFor[view.Heading]()},
			{"Language", reflect.TypeFor[view.Language]()},
			{"Pagination", reflect.TypeFor[view.Pagination]()},
			{"Picture", reflect.TypeFor[view.Picture]()},
			{"SearchSection", reflect.TypeFor[view.SearchSection]()},
			{"Series", reflect.TypeFor[view.Series]()},
			{"SeriesPart", reflect.TypeFor[view.SeriesPart]()},
			{"ShownPicture", reflect.TypeFor[view.ShownPicture]()},
			{"Summary", reflect.TypeFor[view.Summary]()},
			{"Tag", reflect.TypeFor[view.Tag]()},
		}},
		{"Landing pages", []namedType{
			{"PageSection", reflect.TypeFor[view.PageSection]()},
			{"SectionAction", reflect.TypeFor[view.SectionAction]()},
			{"SectionItem", reflect.TypeFor[view.SectionItem]()},
		}},
		{"Documentation", []namedType{
			{"OldVersion", reflect.TypeFor[view.OldVersion]()},
			{"PageVersion", reflect.TypeFor[view.PageVersion]()},
			{"Section", reflect.TypeFor[view.Section]()},
			{"SidebarEntry", reflect.TypeFor[view.SidebarEntry]()},
		}},
		{"Navigation and settings", []namedType{
			{"Site", reflect.TypeFor[view.Site]()},
			{"Admin", reflect.TypeFor[site.Admin]()},
			{"Allowance", reflect.TypeFor[site.Allowance]()},
			{"FileName", reflect.TypeFor[site.Reference]()},
			{"FontFile", reflect.TypeFor[site.Font]()},
			{"Icon", reflect.TypeFor[view.Icon]()},
			{"Images", reflect.TypeFor[site.Images]()},
			{"Link", reflect.TypeFor[view.Link]()},
			{"Logo", reflect.TypeFor[view.Logo]()},
			{"Look", reflect.TypeFor[view.Look]()},
			{"Machines", reflect.TypeFor[site.Machines]()},
			{"NavigationEntry", reflect.TypeFor[view.NavigationEntry]()},
			{"Notice", reflect.TypeFor[view.Notice]()},
			{"Repository", reflect.TypeFor[site.Repository]()},
			{"Retirement", reflect.TypeFor[site.Retirement]()},
			{"Robots", reflect.TypeFor[site.Robots]()},
			{"Script", reflect.TypeFor[site.Script]()},
			{"Security", reflect.TypeFor[site.Security]()},
			{"Setting", reflect.TypeFor[site.Setting]()},
			{"Signal", reflect.TypeFor[site.Signal]()},
			{"Social", reflect.TypeFor[site.Social]()},
			{"ThemeSettings", reflect.TypeFor[site.Theme]()},
			{"Version", reflect.TypeFor[site.Version]()},
			{"Word", reflect.TypeFor[site.Word]()},
		}},
		{"Facts and prices", []namedType{
			{"Product", reflect.TypeFor[site.Product]()},
			{"Change", reflect.TypeFor[view.Change]()},
			{"ChangedDay", reflect.TypeFor[view.ChangedDay]()},
			{"Changes", reflect.TypeFor[view.Changes]()},
			{"ComparedFeature", reflect.TypeFor[site.ComparedFeature]()},
			{"Fact", reflect.TypeFor[site.Fact]()},
			{"GettingStarted", reflect.TypeFor[site.GettingStarted]()},
			{"Plan", reflect.TypeFor[site.Plan]()},
			{"PlanOnRequest", reflect.TypeFor[site.PlanOnRequest]()},
			{"Pricing", reflect.TypeFor[site.Pricing]()},
			{"ProductLink", reflect.TypeFor[site.Link]()},
		}},
		{"JSON API", []namedType{
			{"Reference", reflect.TypeFor[openapi.Reference]()},
			{"HeaderField", reflect.TypeFor[openapi.Field]()},
			{"Member", reflect.TypeFor[openapi.Member]()},
			{"Operation", reflect.TypeFor[openapi.Operation]()},
			{"Response", reflect.TypeFor[openapi.Response]()},
			{"Schema", reflect.TypeFor[openapi.Schema]()},
		}},
		{"Text files", []namedType{
			{"TextFile", reflect.TypeFor[view.TextFile]()},
			{"AgentGroup", reflect.TypeFor[view.AgentGroup]()},
			{"LinkLine", reflect.TypeFor[view.LinkLine]()},
			{"LinkSection", reflect.TypeFor[view.LinkSection]()},
			{"ListText", reflect.TypeFor[plan.ListWords]()},
			{"Skill", reflect.TypeFor[view.Skill]()},
		}},
		{"Pages of the theme", []namedType{
			{"ThemePage", reflect.TypeFor[pageData]()},
			{"Problem", reflect.TypeFor[problemData]()},
			{"Tool", reflect.TypeFor[toolView]()},
		}},
		{"Components", []namedType{
			{"Component", reflect.TypeFor[componentView]()},
		}},
	}
}

type typeGroup struct {
	title string
	types []namedType
}

type namedType struct {
	name string
	typ  reflect.Type
}
