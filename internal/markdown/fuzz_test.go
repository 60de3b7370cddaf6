package markdown

import "testing"

// FuzzTwin checks that, for any input, the parser doesn't panic and the twin has the same meaning as the page.
func FuzzTwin(f *testing.F) {
	for _, seed := range []string{
		"# A *b*\n\ntext `c` ~~d~~ [e](/f \"g\")\n",
		"- a\n\n  1. b\n     > c\n- [x] d\n",
		"| a | b |\n|:-|-:|\n| `c\\|d` | e |\n",
		"a[^1] b\\\nc\n\n[^1]: d\n\n    e\n",
		"> [!NOTE]\n> a\n>\n> ```go\n> b\n> ```\n",
		"www.a.bc <https://d.ef> g@h.ij &amp; &#42; \\* ![k](l)\n",
		"***a** b* __c__ _d_e\n===\n\tf\n",
		"<details>\n<summary>a</summary>\n\n*b*\n\n</details>\n<dl><dt>c<dd>d <kbd>e</kbd><br>f</dl>\n",
		"<table><tr><th>a<tr><td>b <img src=c width=9></table>\n\n<a id=d></a>\n",
		"::::tabs{group=a}\n:::tab[b *c*]\n- d\n:::\n::::\n\n::video[e]{src=f}\n",
		"日本\n語、\n**太字**\n*斜体*\n[一\n二](a)\n\n一**「二」**三**「四」**と\n",
		"a :badge[b]{type=tip} :kbd[c] \\:d[e] ::f\n\n:::note G\nh\n:::\n",
	} {
		f.Add([]byte(seed))
	}
	p := New(Options{}).With(newTestComponents(f))
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 1<<12 {
			return
		}
		checkTwin(t, p, source)
	})
}
