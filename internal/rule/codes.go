package rule

import "vitrine/internal/site"

// The codes of the rules.
const (
	Unreadable      site.Code = "V001" // a file or folder cannot be read
	Syntax          site.Code = "V002" // front matter, product.yaml or site.yaml is not well formed
	UnknownKey      site.Code = "V003" // an unknown key
	WrongValue      site.Code = "V004" // a value of the wrong kind or form
	MissingKey      site.Code = "V005" // a required key is missing
	WrongDate       site.Code = "V006" // an invalid date
	NoTitle         site.Code = "V007" // a page without a title
	NoDate          site.Code = "V008" // an article without a date
	WrongPath       site.Code = "V009" // a name that cannot be an address
	SamePath        site.Code = "V010" // two sources for one address
	OddFact         site.Code = "V011" // a fact whose name looks misspelt
	Needless        site.Code = "V012" // a redundant setting
	TagCase         site.Code = "V013" // tags that differ only in case
	NoAlt           site.Code = "V014" // an image without alternative text
	HeadingJump     site.Code = "V015" // a heading that skips a level
	RawHTML         site.Code = "V016" // raw HTML in Markdown
	UnsafeLink      site.Code = "V017" // a link that may run code or read a disk
	EmptyLink       site.Code = "V018" // a link or an image without content
	Footnote        site.Code = "V019" // a broken footnote
	TooMuch         site.Code = "V020" // more than a page may have
	FactUnknown     site.Code = "V021" // a fact that product.yaml does not have
	FactOpen        site.Code = "V022" // double braces that are not closed
	FactPlace       site.Code = "V023" // a list or a table in a place for text
	DeadLink        site.Code = "V024" // a broken link
	DeadAnchor      site.Code = "V025" // a link to a heading that is not there
	Redirect        site.Code = "V026" // a link to an old address
	NotAnImage      site.Code = "V027" // an image that is a page or a video
	Orphan          site.Code = "V028" // a page that no other page links to
	NoDescription   site.Code = "V029" // a page without a description
	LongDescription site.Code = "V030" // a description that is too long
	SameTitle       site.Code = "V031" // two pages with one title
	HeavyImage      site.Code = "V032" // an image that is too large
	DriftPrice      site.Code = "V033" // an amount that contradicts product.yaml
	DriftCredits    site.Code = "V034" // a number of credits that contradicts product.yaml
	DriftName       site.Code = "V035" // a plan's name that is nearly right
	DeadOutside     site.Code = "V036" // an outside link that does not answer
	MovedOutside    site.Code = "V037" // an outside link that has moved for good
	Template        site.Code = "V038" // a template that does not work
	ScriptInImage   site.Code = "V039" // an SVG or XML file that carries a script
	BrokenImage     site.Code = "V040" // an image that cannot be read
	ImageBomb       site.Code = "V041" // an image with too many pixels
	DottedParam     site.Code = "V042" // a key that the content editor takes apart
	UnlinkedFile    site.Code = "V043" // a file that is not published
	AccentMoved     site.Code = "V044" // an accent that text could not be read in
	LookFile        site.Code = "V045" // a file of the look that cannot be used
	LargeFont       site.Code = "V046" // a font that is larger than sensible
	MarkedLines     site.Code = "V050" // marked lines that the code does not have
	LostHTML        site.Code = "V051" // HTML of which something is not read
	Directive       site.Code = "V052" // a component that is not there, or is not whole
	OpenCode        site.Code = "V053" // unclosed code
	Conflict        site.Code = "V054" // the marks of a merge conflict
	UnknownAlert    site.Code = "V055" // an alert of an unknown kind
	Foreign         site.Code = "V056" // a mark of another dialect of Markdown
	Shortcode       site.Code = "V057" // what another generator would replace
	WrongOrder      site.Code = "V058" // an update before the publication
	ForeignFile     site.Code = "V059" // a file or folder of another generator
	WrongLanguage   site.Code = "V060" // a language that the site cannot have
	Overlay         site.Code = "V061" // invalid translated facts
	Translation     site.Code = "V062" // a page that translates what it cannot
	UnknownLanguage site.Code = "V063" // a file of a language that the site does not have
	Untranslated    site.Code = "V064" // a translation that is missing or old
	MissingWords    site.Code = "V065" // words of the theme that the language does not have
	OpenEmphasis    site.Code = "V066" // unclosed emphasis
	NoLetters       site.Code = "V067" // characters without a font
	NoQuestion      site.Code = "V068" // an invalid question
	NoAnswer        site.Code = "V069" // a question that is not answered
	LateAnswer      site.Code = "V070" // an answer beyond its budget
	FutureUpdate    site.Code = "V071" // an update that is still to come
	NoHistory       site.Code = "V072" // a clone without the history of the facts
	OldUpdated      site.Code = "V073" // a date of the facts that is older than they are
	UnknownUsage    site.Code = "V074" // a preference that AIPREF has no word for
	NoLicense       site.Code = "V075" // a license that the site does not have
	BesideMount     site.Code = "V076"
	Placeholder     site.Code = "V077" // a string that new or import wrote for the editor to replace
	Secret          site.Code = "V078" // a published file that looks like a key or a password
	Litter          site.Code = "V079" // a published file that a program left behind
	HostFile        site.Code = "V080" // a published file that configures a host
	WindowsName     site.Code = "V081" // a name that Windows cannot have
	LooseLink       site.Code = "V082" // a link that is shown as text
	LooseHeading    site.Code = "V083" // a heading that is shown as text, or is empty
	SecondTitle     site.Code = "V084" // a second heading of the first level
	SamePlan        site.Code = "V085" // indistinguishable plans
	CodeFile        site.Code = "V090" // code from a file that cannot be taken
	WrongMath       site.Code = "V091" // math that cannot be read
	SidebarFile     site.Code = "V092" // a sidebar's file that does not fit the pages
	Description     site.Code = "V093" // an OpenAPI description that cannot be read
	Version         site.Code = "V094" // a version of the documentation that is not there
	DeadFact        site.Code = "V096" // a fact that names a page the site does not have
	LostCell        site.Code = "V097" // a cell that its table does not show
	FontWeight      site.Code = "V098" // a weight or a style of a font that no file has
	Author          site.Code = "V100" // an author that authors.yaml has under another name, or whose page is replaced
	OtherVersion    site.Code = "V101" // a link that leaves its version of the documentation
	StaleDeploy     site.Code = "V102" // a deploy file for other settings than the site's
	LooseBlock      site.Code = "V103" // a list or a table that is shown as text
)

// All returns every rule, in the order of the codes.
func All() []Rule {
	return []Rule{
		{Code: Unreadable, Level: site.Error, Title: "a file or folder cannot be read"},
		{Code: Syntax, Level: site.Error, Title: "front matter, product.yaml or site.yaml is not well formed"},
		{Code: UnknownKey, Level: site.Error, Title: "unused key"},
		{Code: WrongValue, Level: site.Error, Title: "a value of the wrong kind or form"},
		{Code: MissingKey, Level: site.Error, Title: "a required key is missing"},
		{Code: WrongDate, Level: site.Error, Title: "invalid date"},
		{Code: NoTitle, Level: site.Error, Title: "a page without a title"},
		{Code: NoDate, Level: site.Error, Title: "an article without a date"},
		{Code: WrongPath, Level: site.Error, Title: "a name that cannot be an address"},
		{Code: SamePath, Level: site.Error, Title: "two sources for one address"},
		{Code: OddFact, Level: site.Warning, Title: "a fact whose name looks misspelt"},
		{Code: Needless, Level: site.Warning, Title: "empty setting"},
		{Code: TagCase, Level: site.Warning, Title: "tags that differ only in case"},
		{Code: NoAlt, Level: site.Warning, Title: "an image without alternative text"},
		{Code: HeadingJump, Level: site.Warning, Title: "a heading that skips a level"},
		{Code: RawHTML, Level: site.Error, Title: "raw HTML in Markdown"},
		{Code: UnsafeLink, Level: site.Error, Title: "a link that may run code or read a disk"},
		{Code: EmptyLink, Level: site.Warning, Title: "empty link or image"},
		{Code: Footnote, Level: site.Warning, Title: "undefined footnote"},
		{Code: TooMuch, Level: site.Error, Title: "more than a page may have"},
		{Code: FactUnknown, Level: site.Error, Title: "a fact that product.yaml does not have"},
		{Code: FactOpen, Level: site.Warning, Title: "double braces that are not closed"},
		{Code: FactPlace, Level: site.Error, Title: "list or table in a text-only place"},
		{Code: DeadLink, Level: site.Error, Title: "broken link"},
		{Code: DeadAnchor, Level: site.Error, Title: "a link to a heading that is not there"},
		{Code: Redirect, Level: site.Warning, Title: "a link to an old address"},
		{Code: NotAnImage, Level: site.Error, Title: "an image that is a page or a video"},
		{Code: Orphan, Level: site.Warning, Title: "a page that no other page links to"},
		{Code: NoDescription, Level: site.Warning, Title: "a page without a description"},
		{Code: LongDescription, Level: site.Warning, Title: "a description that is too long"},
		{Code: SameTitle, Level: site.Warning, Title: "two pages with one title"},
		{Code: HeavyImage, Level: site.Warning, Title: "an image that is too large"},
		{Code: DriftPrice, Level: site.Warning, Title: "an amount that contradicts product.yaml", Strict: true},
		{Code: DriftCredits, Level: site.Warning, Title: "a number of credits that contradicts product.yaml", Strict: true},
		{Code: DriftName, Level: site.Warning, Title: "a plan's name that is nearly right", Strict: true},
		{Code: DeadOutside, Level: site.Warning, Title: "an outside link that does not answer"},
		{Code: MovedOutside, Level: site.Warning, Title: "an outside link that has moved for good"},
		{Code: Template, Level: site.Error, Title: "a template that does not work"},
		{Code: ScriptInImage, Level: site.Error, Title: "an SVG or XML file that carries a script"},
		{Code: BrokenImage, Level: site.Warning, Title: "an image that cannot be read"},
		{Code: ImageBomb, Level: site.Error, Title: "an image with too many pixels"},
		{Code: DottedParam, Level: site.Warning, Title: "a key that the content editor takes apart"},
		{Code: UnlinkedFile, Level: site.Warning, Title: "a file that is not published"},
		{Code: AccentMoved, Level: site.Warning, Title: "an accent that text could not be read in"},
		{Code: LookFile, Level: site.Error, Title: "a file of the look that cannot be used"},
		{Code: LargeFont, Level: site.Warning, Title: "a font that is larger than sensible"},
		{Code: MarkedLines, Level: site.Warning, Title: "marked lines that the code does not have"},
		{Code: LostHTML, Level: site.Warning, Title: "HTML of which something is not read"},
		{Code: Directive, Level: site.Error, Title: "a component that is not there, or is not whole"},
		{Code: OpenCode, Level: site.Warning, Title: "unclosed code"},
		{Code: Conflict, Level: site.Error, Title: "the marks of a merge conflict"},
		{Code: UnknownAlert, Level: site.Warning, Title: "unknown kind of alert"},
		{Code: Foreign, Level: site.Warning, Title: "a mark of another dialect of Markdown"},
		{Code: Shortcode, Level: site.Error, Title: "what another generator would replace"},
		{Code: WrongOrder, Level: site.Warning, Title: "an update before the publication"},
		{Code: ForeignFile, Level: site.Warning, Title: "a file or folder of another generator"},
		{Code: WrongLanguage, Level: site.Error, Title: "a language that the site cannot have"},
		{Code: Overlay, Level: site.Error, Title: "invalid translation of facts"},
		{Code: Translation, Level: site.Error, Title: "a page that translates what it cannot"},
		{Code: UnknownLanguage, Level: site.Warning, Title: "a file of a language that the site does not have"},
		{Code: Untranslated, Level: site.Warning, Title: "a translation that is missing or old", Strict: true},
		{Code: MissingWords, Level: site.Warning, Title: "words of the theme that the site's language does not have"},
		{Code: OpenEmphasis, Level: site.Warning, Title: "unclosed emphasis"},
		{Code: NoLetters, Level: site.Warning, Title: "characters without a font"},
		{Code: NoQuestion, Level: site.Error, Title: "invalid question"},
		{Code: NoAnswer, Level: site.Error, Title: "a question that is not answered"},
		{Code: LateAnswer, Level: site.Error, Title: "answer beyond its budget"},
		{Code: FutureUpdate, Level: site.Warning, Title: "an update that is still to come"},
		{Code: NoHistory, Level: site.Warning, Title: "a clone without the history of the facts"},
		{Code: OldUpdated, Level: site.Warning, Title: "a date of the facts that is older than they are"},
		{Code: UnknownUsage, Level: site.Warning, Title: "unknown preference"},
		{Code: NoLicense, Level: site.Error, Title: "a license that is not there"},
		{Code: BesideMount, Level: site.Warning, Title: "address outside the site"},
		{Code: Placeholder, Level: site.Warning, Title: "placeholder", Strict: true},
		{Code: Secret, Level: site.Error, Title: "published key or password"},
		{Code: Litter, Level: site.Warning, Title: "published copy or leftover"},
		{Code: HostFile, Level: site.Error, Title: "file that configures a host"},
		{Code: WindowsName, Level: site.Warning, Title: "name that Windows cannot have"},
		{Code: LooseLink, Level: site.Warning, Title: "a link that is shown as text"},
		{Code: LooseHeading, Level: site.Warning, Title: "a heading that is shown as text, or is empty"},
		{Code: SecondTitle, Level: site.Warning, Title: "a second heading of the first level"},
		{Code: SamePlan, Level: site.Warning, Title: "duplicate or ambiguous plans"},
		{Code: CodeFile, Level: site.Error, Title: "unusable file of a code block"},
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
	}
}
