package search_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"vitrine/internal/lab/rig"
	"vitrine/internal/search"
)

// engine returns the path of the script that searches the index.
func engine(t testing.TB) string {
	return filepath.Join(rig.Root(t), "templates/assets/search-engine.js")
}

// inScript returns the words found by the browser's script in each string, each as written, folded, and stemmed.
func inScript(t *testing.T, language string, texts []string) [][][3]string {
	t.Helper()
	var in strings.Builder
	out := json.NewEncoder(&in)
	for _, text := range append([]string{string(search.Stemmer(language))}, texts...) {
		if err := out.Encode(text); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), rig.Node(t), "testdata/same.mjs", engine(t))
	cmd.Stdin, cmd.Stderr = strings.NewReader(in.String()), os.Stderr
	body, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all [][][3]string
	for in := json.NewDecoder(bytes.NewReader(body)); in.More(); {
		var words [][3]string
		if err := in.Decode(&words); err != nil {
			t.Fatal(err)
		}
		all = append(all, words)
	}
	return all
}

func compare(t *testing.T, language string, texts []string) (compared int) {
	t.Helper()
	wrong := 0
	for i, got := range inScript(t, language, texts) {
		want := search.Words(language, texts[i])
		compared += len(want)
		for j := range max(len(got), len(want)) {
			if j >= len(got) || j >= len(want) || got[j] != want[j] {
				if wrong++; wrong <= 10 {
					t.Errorf("%s: %q: the script has %q, the index %q", language, texts[i], at(got, j), at(want, j))
				}
				break
			}
		}
	}
	if wrong > 10 {
		t.Errorf("%s: %d differ", language, wrong)
	}
	return compared
}

func at(list [][3]string, i int) any {
	if i >= len(list) {
		return nil
	}
	return list[i]
}

// languages contains the languages with a stemmer, each with beginnings and endings of words for the test to combine.
var languages = []struct{ tag, begin, end string }{
	{"ar", "ال وال كتاب كتب مدرس معلم درس سيار جامع مهندس استعمل قرأ بيت شركة أحمد مستشفى", "ة ات ون ين ها هم نا كم ي ان تين وا تم ه ا ى"},
	{"da", "bil hus arbejd lære skole betal frihed virksom undersøg", "e er en et ene erne ers ens ede elig lighed løst isk ig"},
	{"de", "haus häus arbeit freund schön kind spiel zeitung preis größ verkauf straß", "e en er es em ern ung ungen heit keit lich isch ig st test et bar schaft"},
	{"en", "run happi nation relat organiz commun gener skat news care connect install document pric dying hop", "ing ed s es ly ness ation ational ize izer ful fulness ies y ement able 's al ence er"},
	{"es", "cant habl niñ trabaj nacion rápid precio segur comunic camin", "ar ando iendo ado idos amos aron ción ciones mente idad ísimo os as es ería lo"},
	{"fi", "talo kirja auto kaupunki opiskel hinta yritys käyttäj tietokone", "ssa sta lla lle ksi ni nsa mme ista oista ien iden kaan kin mpi in en tta"},
	{"fr", "parl fin march réserv nation heureu prix travail cré épée génér continu", "er é ée ées ions ez ait aient issant ement ité ateur atrice isme euse aux s ence ique"},
	{"ga", "bhean teach mbád gcarr fear múinteoir scoil dteach", "a anna acht achta ann faidh fear irí óir eoir"},
	{"hu", "ház könyv autó iskola munka szép ember ár", "ban ben ból nak nek val vel hoz hez ek ok ak aim eim unk ük tól ért ként"},
	{"it", "parl cant ragazz lavor nazion prezz felic sicur perch", "are ando ato ate iamo ano zione zioni mente ità issimo i o a ismo ista erò gli"},
	{"nl", "huis lopen werk school vrijheid prijs kind maan verzeker", "en e s je heid heden ing ingen lijk baar end ene erig te tt"},
	{"no", "bil hus arbeid lær skole betal frihet virksom", "e er en et ene ane ets hetene lig elig ert ende a as"},
	{"pt", "cant fal menin trabalh naç rápid preç segur constru", "ar ando ado idos amos aram ção ções mente idade íssimo os as ões eza ador ível"},
	{"ro", "cas cânt copil lucr naţ preţ frumos român carte", "a ă e i ul ului ilor ele are ând at ate aţi iune tor itate esc eşti"},
	{"ru", "дом книг работ красив читат цен компани учител ёж говор", "а ы и у е ой ом ами ах ов ый ая ое ость остью ейший ать ает ала ившись ся"},
	{"sv", "bil hus arbet lär skol betal frihet företag", "a e ar er or en et arna erna ornas het heten lig ig ade ande fullt löst"},
	{"ta", "மரம் வீடு புத்தக பள்ளி நட படி வேலை", "கள் களை இல் உடன் க்கு ஆல் கிறேன் த்தான் ம் ை"},
	{"tr", "ev kitap okul araba çalış güzel fiyat şirket İstanbul ağaç ışık", "ler lar de da den dan in ın im ım lerim larınız di dı miş yor cı lik ci nin e a"},
}

// mixed contains strings in many scripts, including unusual cases.
var mixed = []string{
	"", " ", "Don't stop: foo_bar v1.2.3 C++ node.js 3,5 €", "l’eau d'été", "ÉTÉ été e\u0301te\u0301", "Straße STRASSE ŒUVRE Ångström İstanbul ISPARTA ışık ΟΔΟΣ οδός",
	"日本語の検索エンジン、東京。が か\u3099 ガ ｶﾞ", "中文搜索abc引擎123测试", "한국어 검색은 잘 됩니다", "ภาษาไทยไม่มีช่องว่าง ที่นี่", "កម្ពុជា မြန်မာ ລາວ",
	"مُحَمَّدٌ أحمد إبراهيم آمن الـكتـاب مدرسة على کتاب یک ٱلله", "שָׁלוֹם עולם", "हिन्दी में खोज", "x𝒳𝟙 ① ½ ﬁne ﬃ K Å ᴬ ª",
	"👩‍👩‍👧 a👍b", "𠮷野家 𠮷", "a\u0300\u0301\u0302b", strings.Repeat("langeswort", 30), strings.Repeat("éa", 30), "2000 1100 a11 11a", "水", "水 a 水b", "ー々〆", "ﾃﾞｰﾀﾍﾞｰｽ ﾞﾞｱ \u3099か\u3099", "ٱلكتاب ארץ ארכיון", "Node.js入門", "ǅ ǈ Ǳ ẞ ŉ", "\u0345\u0301 \u0e31 \u0300x",
}

// The script and the index split, fold, and stem all words identically.
func TestScriptSplitsWordsEqually(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	texts := slices.Clone(mixed)
	ranges := [][2]rune{{0x20, 0x7f}, {0xa0, 0x250}, {0x300, 0x370}, {0x370, 0x530}, {0x590, 0x780}, {0x900, 0xf00}, {0x1000, 0x1200}, {0x1780, 0x1800}, {0x1e00, 0x2000}, {0x2c60, 0x2d00}, {0x3000, 0x3200}, {0x4e00, 0x4f00}, {0xac00, 0xad00}, {0xf900, 0xfb50}, {0xfe20, 0xfff0}, {0x1d400, 0x1d500}, {0x20000, 0x20100}}
	for range 3000 {
		var text strings.Builder
		within := ranges[random.IntN(len(ranges))]
		for range random.IntN(20) {
			if random.IntN(4) == 0 {
				within = ranges[random.IntN(len(ranges))]
			}
			// A browser may know newer characters than Go's Unicode version.
			if r := within[0] + random.Int32N(within[1]-within[0]); unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z) {
				text.WriteRune(r)
			}
		}
		texts = append(texts, text.String())
	}
	if n := compare(t, "", texts); n < 5000 {
		t.Errorf("only %d words were compared", n)
	}
}

// The stemmers in Go and in the browser produce the same stems for the same words.
func TestStemmersAgree(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		t.Run(l.tag, func(t *testing.T) {
			t.Parallel()
			if search.Stemmer(l.tag) == nil {
				t.Fatal("there is no stemmer")
			}
			random := rand.New(rand.NewPCG(3, uint64(len(l.begin))))
			texts := slices.Clone(mixed)
			begins, ends := strings.Fields(l.begin), strings.Fields(l.end)
			for _, begin := range begins {
				texts = append(texts, begin, strings.ToUpper(begin))
				for _, end := range ends {
					texts = append(texts, begin+end)
					for _, more := range ends {
						texts = append(texts, begin+end+more)
					}
				}
			}
			// Random words made of the language's letters.
			letters := []rune(strings.ReplaceAll(l.begin+l.end, " ", ""))
			for range 4000 {
				var word strings.Builder
				for range 1 + random.IntN(9) {
					word.WriteRune(letters[random.IntN(len(letters))])
				}
				if random.IntN(2) == 0 {
					word.WriteString(ends[random.IntN(len(ends))])
				}
				texts = append(texts, word.String())
			}
			if n := compare(t, l.tag, texts); n < 4000 {
				t.Errorf("only %d words were compared", n)
			}
		})
	}
}
