package markdown

import (
	"strings"
	"testing"
)

// A line break between two Chinese or Japanese characters is not a space. Between other characters, including Korean
// ones, it's a space.
func TestSoftBreaksOfSpacelessScripts(t *testing.T) {
	for source, want := range map[string]string{
		"日本語の\n文章。":             "<p>日本語の文章。</p>\n",
		"中文，\n第二行":              "<p>中文，第二行</p>\n",
		"「引用」\n（注）":             "<p>「引用」（注）</p>\n",
		"**太字**\n*斜体*です":        "<p><strong>太字</strong><em>斜体</em>です</p>\n",
		"[リンク](/a)\n~~消す~~":     "<p><a href=\"/a\">リンク</a><del>消す</del></p>\n",
		"カタカナー\nガイド":            "<p>カタカナーガイド</p>\n",
		"한국어\n문장":               "<p>한국어\n문장</p>\n",
		"日本語\nEnglish\n日本語":     "<p>日本語\nEnglish\n日本語</p>\n",
		"日本語\n`code`\n日本語":      "<p>日本語\n<code>code</code>\n日本語</p>\n",
		"日本語  \n改行":             "<p>日本語<br>\n改行</p>\n",
		"日本語&#33;\n日本語":         "<p>日本語!\n日本語</p>\n",
		"日🚀\n🚀日":                "<p>日🚀\n🚀日</p>\n",
		"ภาษาไทย\nบรรทัดที่สอง": "<p>ภาษาไทย\nบรรทัดที่สอง</p>\n",
		"> 一\n> 二\n\n- 三\n  四":  "<blockquote>\n<p>一二</p>\n</blockquote>\n<ul>\n<li>三四</li>\n</ul>\n",
	} {
		d := New(Options{}).Parse("x.md", []byte(source), 0)
		html, twin := render(t, d)
		if html != want {
			t.Errorf("%q: got %q, want %q", source, html, want)
		}
		if again, same := render(t, New(Options{}).Parse("x.md", []byte(twin), 0)); again != html || same != twin {
			t.Errorf("%q: the twin %q means %q", source, twin, again)
		}
	}
	var prose string
	New(Options{}).Parse("x.md", []byte("日本\n語 a\nb"), 0).Prose(func(p *Prose) { prose += string(p.Text) })
	if prose != "日本語 a b" {
		t.Errorf("the text is %q", prose)
	}
}

// Emphasis that spaceless letters prevent from closing is reported with its correction, and the result of vitrine fix
// has the intended meaning.
func TestEmphasisOfSpacelessScripts(t *testing.T) {
	for source, fixed := range map[string]string{
		"これは**「重要」**と呼ぶ":              "これは<strong>「重要」</strong>と呼ぶ",
		"**「A」**と**「B」**です":           "<strong>「A」</strong>と<strong>「B」</strong>です",
		"**重要です。**次に":                 "<strong>重要です。</strong>次に",
		"**太字**です**「B」**と":            "**太字**です<strong>「B」</strong>と",
		"这是**“引号”**的":                 "这是<strong>“引号”</strong>的",
		"*（注）*は":                      "<em>（注）</em>は",
		"***「強」***と":                  "<strong><em>「強」</em></strong>と",
		"**\"강조\"**는":                 "<strong>\"강조\"</strong>는",
		"คำ**(สำคัญ)**มาก":            "คำ<strong>(สำคัญ)</strong>มาก",
		"- 一**「二」**三\n\n> 四**「五」**六":  "- 一<strong>「二」</strong>三\n\n> 四<strong>「五」</strong>六",
		"| a |\n|---|\n| 一**「二」**三 |": "| a |\n|---|\n| 一<strong>「二」</strong>三 |",
		"# 一**「二」**三":                 "# 一<strong>「二」</strong>三",
		"**[リンク](/a)**を":              "<strong>[リンク](/a)</strong>を",
		"`**「コード」**と` 一**「`二*`」**三":   "`**「コード」**と` 一<strong>「`二*`」</strong>三",
		"一**「二」**三 * 四":               "",
	} {
		d := New(Options{}).Parse("x.md", []byte(source), 0)
		problems := d.Problems()
		if len(problems) != 1 || problems[0].Code != "V066" || !strings.Contains(problems[0].Text, "<em>") && !strings.Contains(problems[0].Text, "<strong>") {
			t.Errorf("%q: problems are %v", source, problems)
			continue
		}
		e := problems[0].Fix
		if fixed == "" {
			if e.Old != "" {
				t.Errorf("%q has a fix, want none", source)
			}
			continue
		}
		got := source[:e.Start] + e.New + strings.TrimPrefix(source[e.Start:], e.Old)
		if got != fixed {
			t.Errorf("%q: the fixed text is %q, want %q", source, got, fixed)
		}
		again := New(Options{}).Parse("x.md", []byte(got), 0)
		html, twin := render(t, again)
		if left := again.Problems(); len(left) > 0 || strings.Contains(strings.ReplaceAll(html, "<code>**「コード」**と</code>", ""), "**") {
			t.Errorf("%q: the fixed text has the problems %v:\n%s", source, left, html)
		}
		if same, _ := render(t, New(Options{}).Parse("x.md", []byte(twin), 0)); same != html {
			t.Errorf("%q: the twin of the fixed text, %q, has the HTML %q", source, twin, same)
		}
	}
	for _, fine := range []string{
		"これは**重要**です", "これは「**重要**」です", "これは **「重要」** です", "価格*は税込、送料は別", "**「重要」**", "**「重要」**、次", "2 * 3 * 「4」", "\\**「重要」**と",
		"a **b** c", "**\"a\"**b", "`**「」**と`", "* 「一」\n* 二", "**한국어**는", "***\n\n一",
	} {
		if problems := New(Options{}).Parse("x.md", []byte(fine), 0).Problems(); len(problems) > 0 {
			t.Errorf("%q: %v", fine, problems)
		}
	}
}
