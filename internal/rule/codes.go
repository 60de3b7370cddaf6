package rule

import "vitrine/internal/site"

// Codes of the rules.
const (
	Unreadable      site.Code = "V001" // a file or folder cannot be read
	Syntax          site.Code = "V002" // invalid syntax in front matter, product.yaml, or site.yaml
	UnknownKey      site.Code = "V003" // an unknown key
	WrongValue      site.Code = "V004" // a value of the wrong kind or form
	MissingKey      site.Code = "V005" // a required key is missing
	WrongDate       site.Code = "V006" // an invalid date
	NoTitle         site.Code = "V007" // a page without a title
	NoDate          site.Code = "V008" // an article without a date
	WrongPath       site.Code = "V009" // a name that cannot be an address
	SamePath        site.Code = "V010" // two sources for one address
	OddFact         site.Code = "V011" // a misspelled fact name
	Needless        site.Code = "V012" // a redundant setting
	TagCase         site.Code = "V013" // tags that differ only in case
	NoAlt           site.Code = "V014" // an image without alternative text
	HeadingJump     site.Code = "V015" // a heading that skips a level
	RawHTML         site.Code = "V016" // raw HTML in Markdown
	UnsafeLink      site.Code = "V017" // an unsafe link
	EmptyLink       site.Code = "V018" // a link or an image without content
	Footnote        site.Code = "V019" // a broken footnote
	TooMuch         site.Code = "V020" // too much on one page
	FactUnknown     site.Code = "V021" // an unknown fact
	FactOpen        site.Code = "V022" // unclosed double braces
	FactPlace       site.Code = "V023" // a list or a table in a place for text
	DeadLink        site.Code = "V024" // a broken link
	DeadAnchor      site.Code = "V025" // a link to a missing heading
	Redirect        site.Code = "V026" // a link to an old address
	NotAnImage      site.Code = "V027" // an image that is a page or a video
	Orphan          site.Code = "V028" // a page to which no other page links
	NoDescription   site.Code = "V029" // a page without a description
	LongDescription site.Code = "V030" // a description that is too long
	SameTitle       site.Code = "V031" // two pages with one title
	HeavyImage      site.Code = "V032" // an image that is too large
	DriftPrice      site.Code = "V033" // an amount that contradicts product.yaml
	DriftCredits    site.Code = "V034" // a number of credits that contradicts product.yaml
	DriftName       site.Code = "V035" // a misspelled or unknown plan name
	DeadOutside     site.Code = "V036" // a broken external link
	MovedOutside    site.Code = "V037" // a moved external link
	Template        site.Code = "V038" // a broken template
	ScriptInImage   site.Code = "V039" // a script in an SVG or XML file
	BrokenImage     site.Code = "V040" // an image that cannot be read
	ImageBomb       site.Code = "V041" // an image with too many pixels
	DottedParam     site.Code = "V042" // a key that the content editor splits
	UnlinkedFile    site.Code = "V043" // a file that is not published
	AccentMoved     site.Code = "V044" // an accent without enough contrast
	LookFile        site.Code = "V045" // an unusable file in the theme settings
	LargeFont       site.Code = "V046" // a large font
	MarkedLines     site.Code = "V050" // marked lines outside the code
	LostHTML        site.Code = "V051" // HTML that is only partly read
	Directive       site.Code = "V052" // an unknown or incomplete component
	OpenCode        site.Code = "V053" // unclosed code
	Conflict        site.Code = "V054" // a merge conflict
	UnknownAlert    site.Code = "V055" // an alert of an unknown kind
	Foreign         site.Code = "V056" // syntax of another Markdown dialect
	Shortcode       site.Code = "V057" // syntax of another generator
	WrongOrder      site.Code = "V058" // an update before the publication
	ForeignFile     site.Code = "V059" // a file or folder of another generator
	WrongLanguage   site.Code = "V060" // an invalid language
	Overlay         site.Code = "V061" // invalid translated facts
	Translation     site.Code = "V062" // an invalid translation of a page
	UnknownLanguage site.Code = "V063" // a file in an unknown language
	Untranslated    site.Code = "V064" // a missing or outdated translation
	MissingWords    site.Code = "V065" // strings of the theme that are missing in the language
	OpenEmphasis    site.Code = "V066" // unclosed emphasis
	NoLetters       site.Code = "V067" // characters without a font
	NoQuestion      site.Code = "V068" // an invalid question
	NoAnswer        site.Code = "V069" // an unanswered question
	LateAnswer      site.Code = "V070" // an answer that exceeds its budget
	FutureUpdate    site.Code = "V071" // an update in the future
	NoHistory       site.Code = "V072" // a clone without the history of the facts
	OldUpdated      site.Code = "V073" // an outdated date of the facts
	UnknownUsage    site.Code = "V074" // a preference that AIPREF does not define
	NoLicense       site.Code = "V075" // a license file that does not exist
	OutsideMount    site.Code = "V076" // a link outside the site's base path
	Placeholder     site.Code = "V077" // a string that vitrine wrote for the editor to replace
	Secret          site.Code = "V078" // a published file that looks like a key or a password
	Litter          site.Code = "V079" // a published file that a program left behind
	HostFile        site.Code = "V080" // a published file that configures a host
	WindowsName     site.Code = "V081" // a name that Windows does not allow
	LooseLink       site.Code = "V082" // a link shown as text
	LooseHeading    site.Code = "V083" // an empty heading, or a heading shown as text
	SecondTitle     site.Code = "V084" // a second level-1 heading
	SamePlan        site.Code = "V085" // indistinguishable plans
	CodeFile        site.Code = "V090" // code that cannot be included from a file
	WrongMath       site.Code = "V091" // math that cannot be read
	SidebarFile     site.Code = "V092" // a sidebar file that does not match the pages
	Description     site.Code = "V093" // an OpenAPI description that cannot be read
	Version         site.Code = "V094" // a version of the documentation that does not exist
	DeadFact        site.Code = "V096" // a fact that links to a page that does not exist
	LostCell        site.Code = "V097" // a cell that its table does not show
	FontWeight      site.Code = "V098" // a font weight or style for which there is no file
	Author          site.Code = "V100" // an author with another key in authors.yaml, or whose page is replaced
	OtherVersion    site.Code = "V101" // a link that leaves its version of the documentation
	StaleDeploy     site.Code = "V102" // a deploy file that does not match the site's settings
	LooseBlock      site.Code = "V103" // a list or a table that is shown as text
	CodeLanguage    site.Code = "V104" // a misspelled language of a code block
)

// All returns every rule, in the order of the codes.
func All() []Rule {
	return []Rule{
		{Code: Unreadable, Level: site.Error, Title: "unreadable file or folder"},
		{Code: Syntax, Level: site.Error, Title: "invalid syntax in front matter, product.yaml, or site.yaml"},
		{Code: UnknownKey, Level: site.Error, Title: "unused key"},
		{Code: WrongValue, Level: site.Error, Title: "invalid value"},
		{Code: MissingKey, Level: site.Error, Title: "missing required key"},
		{Code: WrongDate, Level: site.Error, Title: "invalid date"},
		{Code: NoTitle, Level: site.Error, Title: "page without a title"},
		{Code: NoDate, Level: site.Error, Title: "article without a date"},
		{Code: WrongPath, Level: site.Error, Title: "name that cannot be an address"},
		{Code: SamePath, Level: site.Error, Title: "duplicate address"},
		{Code: OddFact, Level: site.Warning, Title: "misspelled fact name"},
		{Code: Needless, Level: site.Warning, Title: "setting without effect", ErrorFor: "`openapi` without `layout: api`"},
		{Code: TagCase, Level: site.Warning, Title: "tags that differ only in case"},
		{Code: NoAlt, Level: site.Warning, Title: "image without alternative text"},
		{Code: HeadingJump, Level: site.Warning, Title: "heading that skips a level"},
		{Code: RawHTML, Level: site.Error, Title: "raw HTML in Markdown"},
		{Code: UnsafeLink, Level: site.Error, Title: "unsafe link"},
		{Code: EmptyLink, Level: site.Warning, Title: "empty link or image"},
		{Code: Footnote, Level: site.Warning, Title: "undefined footnote"},
		{Code: TooMuch, Level: site.Error, Title: "too much on one page"},
		{Code: FactUnknown, Level: site.Error, Title: "unknown fact"},
		{Code: FactOpen, Level: site.Warning, Title: "unclosed double braces"},
		{Code: FactPlace, Level: site.Error, Title: "list or table in a text-only place"},
		{Code: DeadLink, Level: site.Error, Title: "broken link"},
		{Code: DeadAnchor, Level: site.Error, Title: "link to a missing heading"},
		{Code: Redirect, Level: site.Warning, Title: "link to an old address"},
		{Code: NotAnImage, Level: site.Error, Title: "image that is a page or a video"},
		{Code: Orphan, Level: site.Warning, Title: "page without incoming links"},
		{Code: NoDescription, Level: site.Warning, Title: "page without a description"},
		{Code: LongDescription, Level: site.Warning, Title: "description too long"},
		{Code: SameTitle, Level: site.Warning, Title: "duplicate title"},
		{Code: HeavyImage, Level: site.Warning, Title: "oversized image"},
		{Code: DriftPrice, Level: site.Warning, Title: "amount that contradicts product.yaml", Strict: true},
		{Code: DriftCredits, Level: site.Warning, Title: "credits that contradict product.yaml", Strict: true},
		{Code: DriftName, Level: site.Warning, Title: "misspelled or unknown plan name", Strict: true},
		{Code: DeadOutside, Level: site.Warning, Title: "broken external link"},
		{Code: MovedOutside, Level: site.Warning, Title: "moved external link"},
		{Code: Template, Level: site.Error, Title: "broken template"},
		{Code: ScriptInImage, Level: site.Error, Title: "script in an SVG or XML file"},
		{Code: BrokenImage, Level: site.Warning, Title: "unreadable image"},
		{Code: ImageBomb, Level: site.Error, Title: "image with too many pixels"},
		{Code: DottedParam, Level: site.Warning, Title: "key that the content editor splits"},
		{Code: UnlinkedFile, Level: site.Warning, Title: "unpublished file"},
		{Code: AccentMoved, Level: site.Warning, Title: "accent without enough contrast"},
		{Code: LookFile, Level: site.Error, Title: "unusable file in the theme settings"},
		{Code: LargeFont, Level: site.Warning, Title: "large font"},
		{Code: MarkedLines, Level: site.Warning, Title: "marked lines outside the code"},
		{Code: LostHTML, Level: site.Warning, Title: "HTML that is only partly read"},
		{Code: Directive, Level: site.Error, Title: "unknown or incomplete component"},
		{Code: OpenCode, Level: site.Warning, Title: "unclosed code"},
		{Code: Conflict, Level: site.Error, Title: "merge conflict"},
		{Code: UnknownAlert, Level: site.Warning, Title: "unknown kind of alert"},
		{Code: Foreign, Level: site.Warning, Title: "syntax of another Markdown dialect"},
		{Code: Shortcode, Level: site.Error, Title: "syntax of another generator"},
		{Code: WrongOrder, Level: site.Warning, Title: "update dated before publication"},
		{Code: ForeignFile, Level: site.Warning, Title: "file or folder from another generator"},
		{Code: WrongLanguage, Level: site.Error, Title: "invalid language"},
		{Code: Overlay, Level: site.Error, Title: "invalid translation of facts"},
		{Code: Translation, Level: site.Error, Title: "invalid translation of a page"},
		{Code: UnknownLanguage, Level: site.Warning, Title: "file in an unknown language"},
		{Code: Untranslated, Level: site.Warning, Title: "missing or outdated translation", Strict: true},
		{Code: MissingWords, Level: site.Warning, Title: "missing theme words"},
		{Code: OpenEmphasis, Level: site.Warning, Title: "unclosed emphasis"},
		{Code: NoLetters, Level: site.Warning, Title: "characters without a font"},
		{Code: NoQuestion, Level: site.Error, Title: "invalid question"},
		{Code: NoAnswer, Level: site.Error, Title: "unanswered question"},
		{Code: LateAnswer, Level: site.Error, Title: "answer that exceeds its budget"},
		{Code: FutureUpdate, Level: site.Warning, Title: "update in the future", ErrorFor: "`updated` in `product.yaml`"},
		{Code: NoHistory, Level: site.Warning, Title: "clone without the history of the facts"},
		{Code: OldUpdated, Level: site.Warning, Title: "outdated date of the facts"},
		{Code: UnknownUsage, Level: site.Warning, Title: "unknown preference"},
		{Code: NoLicense, Level: site.Error, Title: "missing license"},
		{Code: OutsideMount, Level: site.Warning, Title: "address outside the site"},
		{Code: Placeholder, Level: site.Warning, Title: "placeholder", Strict: true},
		{Code: Secret, Level: site.Error, Title: "published key or password"},
		{Code: Litter, Level: site.Warning, Title: "published copy or leftover"},
		{Code: HostFile, Level: site.Error, Title: "file that configures a host"},
		{Code: WindowsName, Level: site.Warning, Title: "name that Windows does not allow"},
		{Code: LooseLink, Level: site.Warning, Title: "link shown as text"},
		{Code: LooseHeading, Level: site.Warning, Title: "empty heading, or heading shown as text"},
		{Code: SecondTitle, Level: site.Warning, Title: "second level-1 heading"},
		{Code: SamePlan, Level: site.Warning, Title: "duplicate or ambiguous plans"},
		{Code: CodeFile, Level: site.Error, Title: "file that a code block cannot include"},
		{Code: WrongMath, Level: site.Error, Title: "invalid math"},
		{Code: SidebarFile, Level: site.Warning, Title: "sidebar file that does not match the pages"},
		{Code: Description, Level: site.Error, Title: "unreadable OpenAPI description"},
		{Code: Version, Level: site.Error, Title: "unknown documentation version"},
		{Code: DeadFact, Level: site.Warning, Title: "broken link in a fact"},
		{Code: LostCell, Level: site.Warning, Title: "lost table cell"},
		{Code: FontWeight, Level: site.Warning, Title: "missing font weight"},
		{Code: Author, Level: site.Warning, Title: "misspelled or hidden author"},
		{Code: OtherVersion, Level: site.Warning, Title: "link to another version"},
		{Code: StaleDeploy, Level: site.Warning, Title: "outdated deploy file"},
		{Code: LooseBlock, Level: site.Warning, Title: "list or table shown as text"},
		{Code: CodeLanguage, Level: site.Warning, Title: "misspelled code language"},
	}
}
