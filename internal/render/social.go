package render

import (
	"fmt"
	"image/color"
	"io/fs"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"vitrine/internal/artifact"
	"vitrine/internal/brand"
	"vitrine/internal/image/card"
	"vitrine/internal/plan"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

const (
	socialFolder = "/assets/social/"
	// fontsDir is the folder in a site's templates with fonts for social images.
	fontsDir = "fonts"
)

// themeColor is the brand color in the default theme's stylesheet.
var themeColor = color.RGBA{0x0b, 0x5e, 0x4c, 0xff}

// Cache stores expensive results between builds, under the hash of their inputs. It must be safe
// for concurrent use, and may drop entries at any time.
type Cache interface {
	// Get returns the data stored under a key, byte for byte.
	Get(key uint64) (data []byte, ok bool)
	// Put stores data if it can.
	Put(key uint64, data []byte)
}

// loadSocial prepares to draw the site's social images.
func (t *Theme) loadSocial(s *site.Site) ([]site.Problem, error) {
	if s.Config.Social.NoImages {
		return nil, nil
	}
	language := s.Config.Language
	style := card.Style{Site: s.Config.Title, Host: s.Config.BaseURL, Color: t.brandColor(s), Language: language, RightToLeft: site.Direction(language) == "rtl"}
	if t.brand.Logo != nil {
		style.Logo = t.brand.Logo.Body
	}
	if u, err := url.Parse(s.Config.BaseURL); err == nil && u.Host != "" {
		style.Host = u.Host + u.Path
	}
	names, err := fs.Glob(t.files, fontsDir+"/*")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := fs.ReadFile(t.files, name)
		if err != nil {
			return nil, err
		}
		if err := card.CheckFont(data); err != nil {
			return []site.Problem{{Path: "templates/" + name, Severity: site.Error, Code: rule.LookFile,
				Text: fmt.Sprintf("the file is not a usable TrueType or OpenType font (%v); remove it, or replace it with a .ttf, .otf or .woff file", err)}}, nil
		}
		style.Fonts = append(style.Fonts, data)
	}
	t.social, err = card.New(style)
	return nil, err
}

// brandColor returns the color of social images: social.color, otherwise the accent, otherwise the theme's color.
func (t *Theme) brandColor(s *site.Site) color.RGBA {
	c, ok := brand.Parse(s.Config.Social.Color)
	switch {
	case ok:
	case t.brand.Accent != nil:
		c = *t.brand.Accent
	default:
		return themeColor
	}
	return color.RGBA{c.R, c.G, c.B, 0xff}
}

// TitleProblems warns, once per site, about titles that no available font can draw.
func (t *Theme) TitleProblems(s *site.Site) []site.Problem {
	if t.social == nil {
		return nil
	}
	var first *site.Page
	var letter rune
	count := 0
	for _, p := range s.Pages {
		if p.SharedImage().Target != "" || isASCII(p.Title) {
			continue
		}
		if r, lacks := t.social.Lacks(p.Title); lacks {
			if count++; first == nil {
				first, letter = p, r
			}
		}
	}
	if first == nil {
		return nil
	}
	whose := "the title"
	if count > 1 {
		whose = fmt.Sprintf("the titles of this page and of %d more", count-1)
	}
	instead := "the site's name"
	if !t.social.Covers(s.Config.Title) {
		instead = "the logo"
	}
	return []site.Problem{{Path: first.Source, Severity: site.Warning, Code: rule.NoLetters,
		Text: fmt.Sprintf("no available font has %q of %s (%s), and the social image shows %s in its place; put a font with such characters into templates/%s, or name an image in the front matter",
			letter, whose, scriptOf(letter), instead, fontsDir)}}
}

// scriptOf returns the name of a letter's script.
func scriptOf(letter rune) string {
	for name, table := range unicode.Scripts {
		if unicode.Is(table, letter) {
			return "the script " + strings.ReplaceAll(name, "_", " ")
		}
	}
	return "no script"
}

// socialImages are the images made for pages without their own image or cover.
type socialImages struct {
	// keys are the keys of the images, by page path.
	keys map[string]uint64
	// owners are the pages with which an image is published, by its key: equal titles share an
	// image. They include the pages of all languages.
	owners map[uint64]*site.Page
}

func newSocialImages(r *Renderer) socialImages {
	images := socialImages{keys: make(map[string]uint64), owners: r.owners}
	if r.theme.social == nil {
		return images
	}
	for _, p := range r.site.Pages {
		if p.SharedImage().Target != "" || plan.IsNotFound(p) {
			continue
		}
		key := r.theme.social.Key(r.imageTitle(p))
		images.keys[p.Path] = key
		if images.owners[key] == nil {
			images.owners[key] = p
		}
	}
	return images
}

// imageTitle returns the title on a page's image: all parts of a list have the first part's.
func (r *Renderer) imageTitle(p *site.Page) string {
	if p.List != nil {
		if first := r.lists.Pages[p.List.Path]; first != nil {
			return oneLine(first.Title)
		}
	}
	return oneLine(p.Title)
}

// path returns the path of a page's generated image, or "" if it has none.
func (s *socialImages) path(p *site.Page) string {
	key, ok := s.keys[p.Path]
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s%016x.png", socialFolder, key)
}

// Made reports whether path is a page's image or a file of llms.txt.
func (r *Renderer) Made(path string) bool {
	name, ok := strings.CutPrefix(path, socialFolder)
	if !ok {
		return r.kept[path]
	}
	key, err := strconv.ParseUint(strings.TrimSuffix(name, ".png"), 16, 64)
	return err == nil && r.images.owners[key] != nil
}

// socialImage renders the image that is published with a page. ok is false if there is no such
// image.
func (r *Renderer) socialImage(p *site.Page) (image artifact.Resource, ok bool) {
	key, made := r.images.keys[p.Path]
	if !made || r.images.owners[key] != p {
		return artifact.Resource{}, false
	}
	return Asset(r.images.path(p), r.drawn(key, p)), true
}

// drawn returns an image from the cache. If it isn't there, drawn draws and stores it.
func (r *Renderer) drawn(key uint64, p *site.Page) []byte {
	if r.Cache == nil {
		return r.theme.social.PNG(r.imageTitle(p))
	}
	if body, ok := r.Cache.Get(key); ok {
		return body
	}
	body := r.theme.social.PNG(r.imageTitle(p))
	r.Cache.Put(key, body)
	return body
}
