package drift

import (
	"regexp"
	"strings"

	"vitrine/internal/lazyregexp"
)

// said contains the words of a language, as case-insensitive patterns.
type said struct {
	// noun matches a word for a plan, such as "Tarif". tie matches a word for the cost, such as "kostet".
	noun, tie string
	// month matches a monthly unit after an amount, such as "im Monat", and monthly matches one before an amount.
	month, monthly string
	// head matches a word in the header of a price column.
	head string
	// other matches a word in text about an amount that isn't today's monthly price, such as a yearly price, a past
	// price, a price per person, an offer, a difference, or an example. The pattern is deliberately broad, because a
	// false match causes only a missed contradiction.
	other string
}

// everywhere matches text that doesn't appear in statements about today's monthly price in any language: a year, a
// percentage, or VAT.
const everywhere = `\b(?:19|20)\p{Nd}{2}\b|%|VAT`

func (s *said) compile(names []string) *phrases {
	// In package regexp, \b recognizes only ASCII words.
	whole := func(pattern string) *lazyregexp.Regexp {
		return lazyregexp.New(`(?i)` + strings.ReplaceAll(pattern, `\b`, `(?:^|$|[^\pL\p{Nd}])`))
	}
	noun, monthly := `(?:`+s.noun+`)`, `(?:`+s.monthly+`)`
	if s.monthly == "" {
		monthly = `(?:\z\A.)` // matches nothing
	}
	const quote = `[”“"»」』’]?`
	return &phrases{
		name:    lazyregexp.New(strings.Join(names, "|")),
		open:    whole(`(?:^|[:;(（•]|` + noun + `)[\s„“”"«»「『‘]*$`),
		noun:    whole(`^` + quote + `[\s‑-]*` + noun),
		tie:     whole(`^` + quote + `[\s‑-]*` + noun + `?[\s,،、，]*(?:` + s.tie + `)?[\s:：=(（–—-]*` + monthly + `?[\s:：]*$`),
		monthly: whole(monthly + `[\s:：]*$`),
		month:   whole(`^[\s,]*(?:` + s.month + `)`),
		head:    whole(s.head),
		other:   whole(s.other + `|` + everywhere),
	}
}

// phrasesOf returns the words of the first language in family that has words, or nil if there is none.
func phrasesOf(family []string) *said {
	for _, tag := range family {
		base, _, _ := strings.Cut(tag, "-")
		if s, ok := languages()[base]; ok {
			return &s
		}
	}
	return nil
}

func languages() map[string]said {
	return map[string]said{
		"de": {
			noun: `Tarif|Plan|Paket|Abo|Version|Edition`, tie: `(?:kostet|liegt bei|beträgt|gibt es für|ist für|für)(?: (?:nur|jetzt|weiterhin|derzeit|aktuell))*`,
			month: `(?:(?:pro|im|je|jeden) |/ ?)Monat|monatlich|mtl\b`, head: `preis|kosten|gebühr|monat`,
			other: `jahr|jähr|p\. ?a\.|früher|bisher|bislang|zuvor|vorher|ehemal|damals|\balte|\bwar(?:en)?\b|rabatt|spar|statt|ermäßig|gutschrift|erstatt|beispiel|würde|könnte|\bwenn|\bfalls|angenommen|nutzer|person|sitz|platz|kopf|zusätz|zuzüglich|weiter[en]|\bmehr|weniger|\bbis\b|\bab\b|netto|brutto|steuer|insgesamt|zusammen|nicht|kein|künftig|wird|woche|\btag|einricht|einmal|anbieter|wettbewerb|\bunter|\büber|rund|etwa|ca\b|circa|budget|aufpreis|aufschlag|differenz`,
		},
		"fr": {
			noun: `offre|forfait|formule|plan|abonnement|version`, tie: `(?:coûte|est à|est proposée? à|revient à|à|pour)(?: (?:seulement|désormais|toujours|actuellement))*`,
			month: `(?:par |/ ?)mois|mensuels?\b|le mois`, head: `prix|tarif|coût|mois|mensuel`,
			other: `\bans?\b|année|annuel|avant|auparavant|ancien|autrefois|était|coûtait|jusqu|remise|rabais|réduc|économi|au lieu|rembours|exemple|serait|coûterait|coûtera|\bsi\b|utilisateur|personne|siège|poste|supplément|de plus|moins|plus|à partir|dès|\bHT\b|TTC|taxe|total|ensemble|\bne\b|\bpas\b|aucun|semaine|jour|unique|frais|concurren|environ|près de|budget|différence|additionnel`,
		},
		"es": {
			noun: `plan|paquete|suscripción|versión`, tie: `(?:cuesta|vale|está en|tiene un precio de|por|a)(?: (?:solo|sólo|ahora|actualmente))*`,
			month: `(?:al |por |/ ?)mes|mensuales|cada mes`, head: `precio|coste|costo|tarifa|mes|mensual`,
			other: `\baño|anual|antes|anterior|antigu|costaba|era\b|hasta|descuento|rebaja|ahorr|en lugar|en vez|reembols|ejemplo|costaría|sería|costará|\bsi\b|usuario|persona|asiento|adicional|extra|más|menos|desde|a partir|IVA|impuesto|total|junt[oa]s|\bno\b|ningún|semana|\bdía|único|única vez|competen|alrededor|aproximad|unos|presupuesto|diferencia`,
		},
		"it": {
			noun: `piano|pacchetto|offerta|abbonamento|versione`, tie: `(?:costa|è a|viene|ha un prezzo di|a|per)(?: (?:solo|ora|attualmente))*`,
			month: `(?:al |/ ?)mese|mensili|ogni mese`, head: `prezzo|costo|tariffa|canone|mese|mensile`,
			other: `\bann[oiu]|prima|preceden|vecchi|costava|\bera\b|fino|sconto|ridott|risparm|invece|rimbors|esempio|costerebbe|sarebbe|costerà|\bse\b|utente|utenti|persona|postazion|aggiuntiv|extra|più|meno|a partire|\bda\b|IVA|tasse|totale|insieme|\bnon\b|nessun|settiman|giorn|una tantum|concorren|circa|quasi|budget|differenza`,
		},
		"pt": {
			noun: `plano|pacote|assinatura|versão`, tie: `(?:custa|sai por|está a|por|a)(?: (?:apenas|só|agora|atualmente))*`,
			month: `(?:por |ao |/ ?)mês|mensais|cada mês`, head: `preço|custo|valor|tarifa|mês|mensal`,
			other: `\bano|anua|antes|anterior|antig|custava|\bera\b|até|desconto|economi|poup|em vez|reembols|exemplo|custaria|seria|custará|\bse\b|usuári|utilizador|pessoa|assento|adiciona|extra|mais|menos|a partir|desde|impost|total|junt[oa]s|\bnão\b|nenhum|semana|\bdia|únic|concorr|cerca|aproximad|orçamento|diferença`,
		},
		"nl": {
			noun: `abonnement|pakket|plan|versie`, tie: `(?:kost|is er voor|voor)(?: (?:nu|slechts|maar|momenteel))*`,
			month: `(?:per |/ ?)maand|maandelijks`, head: `prijs|kosten|tarief|maand`,
			other: `\bjaar|jaarlijks|vroeger|eerder|voorheen|\boude?\b|kostte|\bwas\b|\btot\b|korting|bespaar|besparen|in plaats|terugbeta|voorbeeld|zou\b|zal\b|\bals\b|gebruiker|persoon|plaats|extra|aanvullend|\bmeer|minder|vanaf|btw|belasting|totaal|samen|niet|geen|\bweek|\bdag|eenmalig|concurren|ongeveer|circa|rond|budget|verschil`,
		},
		"pl": {
			noun: `plan(?:ie|u)?|pakiet(?:cie|u)?|abonament(?:cie|u)?|wersj[aię]`, tie: `(?:kosztuje|to|za)(?: (?:tylko|teraz|obecnie))*`,
			month: `miesięcznie|(?:na |/ ?)miesiąc|/ ?mies|za miesiąc`, head: `cena|koszt|opłata|miesi`,
			other: `\brok|\blat|roczn|wcześniej|poprzedni|dawn|star[ayeą]\b|kosztował|\bdo\b|rabat|zniżk|oszczęd|zamiast|zwrot|przykład|kosztowałb|będzie|jeśli|gdyby|użytkownik|osob|miejsc|dodatk|dodatkow|więcej|mniej|\bod\b|netto|brutto|\bVAT\b|podat|razem|łącznie|\bnie\b|żad|tydz|tygod|dzie[nń]|jednoraz|konkuren|około|blisko|budżet|różnic`,
		},
		"ja": {
			noun: `プラン|コース|パッケージ|版|エディション`, tie: `(?:の(?:料金|価格|月額料金))?(?:は|が|なら|:|：)?(?:現在)?`,
			month: `[／/・]? ?(?:月|か月|ヶ月|1か月|毎月)`, monthly: `月額|毎月|1か月|ひと月|月々`, head: `料金|価格|月額|値段`,
			other: `年|以前|従来|旧|だった|でした|割引|オフ|引き|節約|お得|の代わり|返金|例えば|たとえば|場合|もし|一人|1人|ユーザー|人あたり|名あたり|席|追加|税|合計|合わせ|ではな|ません|週|日あたり|日額|初期|一度|他社|約|ほど|程度|以上|以下|未満|から|まで|予算|差額|予定`,
		},
		"zh": {
			noun: `方案|套餐|计划|計劃|版|版本`, tie: `(?:的)?(?:价格|價格|月费|月費|费用|費用)?(?:为|為|是|只需|仅需|僅需|售价|售價|:|：)?(?:现在|目前)?`,
			month: `[／/每个個一]*月`, monthly: `每月|每个月|每個月|月费|月費|按月`, head: `价|價|费|費|每月`,
			other: `年|以前|之前|原价|原價|原来|原來|旧|舊|曾|折|优惠|優惠|节省|節省|而不是|代替|退款|例如|比如|如果|假如|用户|用戶|人|席位|额外|額外|增加|税|稅|总|總|一共|合计|合計|不是|不|没有|週|周|天|日|一次|竞争|競爭|约|約|左右|以上|以下|起|到|至|预算|預算|差|将|將`,
		},
		"ko": {
			noun: `요금제|플랜|패키지|버전`, tie: `(?:의)?(?: ?(?:가격|요금))?(?:은|는|이|가)?(?: ?(?:현재|지금))?`,
			month: `(?:[／/] ?|매)월|한 달`, monthly: `월|매월|매달|한 달에?`, head: `가격|요금|비용|월`,
			other: `년|연간|연 |이전|예전|기존|였|었|할인|절약|대신|환불|예를|예시|만약|경우|면\b|사용자|명당|인당|좌석|추가|세금|부가세|합계|모두|총|아니|않|없|주당|일당|한 번|경쟁|약 |정도|이상|이하|부터|까지|예산|차이|예정`,
		},
		"ar": {
			noun: `خطة|باقة|الخطة|الباقة|نسخة`, tie: `(?:تكلف|يكلف|تكلفتها|سعرها|بسعر|مقابل|هو|هي|ب)?(?: (?:الآن|فقط|حاليًا))*`,
			month: `(?:في |كل |/ ?|لل)(?:ال)?شهر|شهري[ًّا]*`, monthly: `شهري[ًّا]*`, head: `سعر|تكلفة|رسوم|شهر`,
			other: `سن[ةوا]|عام|سابق|قبل|قديم|كان|خصم|تخفيض|توفير|بدل|استرداد|مثال|مثلا|إذا|لو\b|مستخدم|شخص|مقعد|إضافي|أكثر|أقل|ابتداء|يبدأ|تبدأ|من\b|حتى|إلى|ضريب|إجمالي|مجموع|معًا|ليس|\bلا\b|لن|أسبوع|يوم|واحدة|منافس|حوالي|تقريب|نحو|ميزانية|فرق|سوف|ست`,
		},
		"he": {
			noun: `תוכנית|מסלול|חבילה|חבילת|גרסה|גרסת`, tie: `(?:עולה|עולות|במחיר|מחירה|מחירו|היא|הוא|ב-?)?(?: (?:רק|עכשיו|כיום))*`,
			month: `(?:ל|ב|לכל |כל |/ ?)חודש|חודשי`, head: `מחיר|עלות|תשלום|חודש`,
			other: `שנ[הית]|שנתי|לפני|קודם|ישן|ישנה|היה|הייתה|עלתה|הנחה|חיסכון|חוסכ|במקום|החזר|דוגמה|למשל|אם\b|אילו|משתמש|אדם|מושב|נוסף|תוספת|יותר|פחות|החל|עד\b|מע["״]מ|מס\b|סך|יחד|לא\b|אין|שבוע|יום|חד.פעמי|מתחר|בערך|כ-|תקציב|הפרש|תעלה`,
		},
	}
}

// currencyNames returns a pattern for a currency's names in languages other than English, or for its code if the names
// are unknown.
func currencyNames(code string) string {
	switch code {
	case "EUR":
		return `[Ee]uros?|евро|євро|ユーロ|欧元|歐元|유로|يورو|אירו|ευρώ|यूरो`
	case "USD", "CAD", "AUD", "NZD":
		return `US\$|[Dd]ollars?|[Dd]ólares|[Dd]ollari|dolarów|dolary|ドル|美元|달러|دولار|דולר`
	case "GBP":
		return `[Pp]fund|livres?|libras|sterline|pond|funtów|funty|ポンド|英镑|英鎊|파운드`
	case "JPY":
		return `[¥￥円]|日元|日圓|엔|[Yy]en`
	case "CNY":
		return `[¥￥元]|人民币|人民幣|[Yy]uan|위안`
	case "TWD", "HKD":
		return `元|NT\$|HK\$`
	case "KRW":
		return `원|[Ww]on|ウォン|韩元`
	case "CHF":
		return `Fr\.|SFr\.|Franken|francs|franchi`
	case "PLN":
		return `zł|złotych|złote|[Zz]loty`
	case "CZK":
		return `Kč|korun`
	case "SEK", "NOK", "DKK":
		return `kr|kronor|kroner`
	case "BRL":
		return `R\$|reais`
	case "ILS":
		return `₪|ש["״]ח|שקל|שקלים`
	case "SAR":
		return `ريال|ر\.س\.?`
	case "AED":
		return `درهم|د\.إ\.?`
	case "INR":
		return `रुपये|रु\.?|Rs\.?`
	case "RUB":
		return `руб\.?|рублей|рубля`
	}
	return regexp.QuoteMeta(code)
}
