package highlight

import (
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// quickLexers provides lexers that produce the same tokens as chroma's own lexers in less time. At each position, a
// chroma lexer tries all rules of its state in order, and most of them fail. The next character rules out most of these
// failures in advance.
type quickLexers struct {
	known sync.Map // from a language's name to its *quickEntry
}

// quickEntry contains the quick lexer of a language and the number of code blocks lexed in that language.
type quickEntry struct {
	readings atomic.Int32
	lexer    func() chroma.Lexer
}

// quickAfter is the number of code blocks per language for which chroma's own lexer is used, before a quick lexer is
// created. Creating a quick lexer takes about as long as lexing these blocks.
const quickAfter = 8

// get returns the lexer to use for one code block in the given language, or nil if chroma has none.
func (q *quickLexers) get(language string) chroma.Lexer {
	found, ok := q.known.Load(language)
	if !ok {
		found, _ = q.known.LoadOrStore(language, &quickEntry{lexer: sync.OnceValue(func() chroma.Lexer { return quicker(lexers.Get(language)) })})
	}
	entry, ok := found.(*quickEntry)
	if !ok || entry.readings.Add(1) <= quickAfter {
		return lexers.Get(language)
	}
	entry.readings.Store(quickAfter)
	return entry.lexer()
}

// quickLexer is one of chroma's lexers, with its rules indexed by the next character.
type quickLexer struct {
	*chroma.RegexLexer
	states map[string]*quickState
	rules  chroma.CompiledRules
}

// quickState contains the rules of a state that may match, indexed by the next ASCII character. The last element is for
// all other characters.
type quickState [utf8.RuneSelf + 1][]quickRule

// quickRule is a rule with its index in the state that contains it.
type quickRule struct {
	*chroma.CompiledRule
	index int
	// kind is the token type of a match if plain is set.
	kind chroma.TokenType
	// plain reports whether a match has no effect other than a token.
	plain bool
}

// quickLanguages returns chroma's names for the languages with quick lexers, which are the most common languages in
// articles. Tests compare these lexers with chroma's own.
func quickLanguages() []string {
	return []string{"Go", "Python", "JavaScript", "TypeScript", "Java", "C", "C++", "C#", "Rust", "Kotlin", "Ruby",
		"Bash", "PowerShell", "JSON", "YAML", "CSS", "Diff"}
}

// captureState is the name of a state that quicker adds to a copy of a lexer. Its only rule captures the compiled rules
// of all states.
const captureState = "vitrine: capture"

// captor is a chroma.Mutator that stores the lexer state passed to it.
type captor struct{ state *chroma.LexerState }

// Mutate implements chroma.Mutator.
func (c *captor) Mutate(state *chroma.LexerState) error {
	c.state = state
	state.Stack = nil
	return nil
}

// quicker returns a quick lexer that is equivalent to one of chroma's lexers, or the original if there is no quick
// lexer for its language.
func quicker(original chroma.Lexer) chroma.Lexer {
	regex, ok := original.(*chroma.RegexLexer)
	if !ok || !slices.Contains(quickLanguages(), regex.Config().Name) {
		return original
	}
	raw, err := regex.Rules()
	if err != nil {
		return original
	}
	c := &captor{}
	rules := raw.Clone()
	rules[captureState] = []chroma.Rule{{Pattern: "", Mutator: c}}
	copied, err := chroma.NewLexer(regex.Config(), func() chroma.Rules { return rules })
	if err != nil {
		return original
	}
	copied.SetRegistry(lexers.GlobalLexerRegistry)
	iterator, err := copied.Tokenise(&chroma.TokeniseOptions{State: captureState}, "\n")
	if err != nil {
		return original
	}
	for iterator() != chroma.EOF && c.state == nil {
	}
	if c.state == nil {
		return original
	}
	q := &quickLexer{RegexLexer: copied, states: make(map[string]*quickState), rules: c.state.Rules}
	for name, rules := range q.rules {
		q.states[name] = quickStateOf(rules)
	}
	return q
}

func quickStateOf(rules []*chroma.CompiledRule) *quickState {
	s := &quickState{}
	for i, rule := range rules {
		r := quickRule{CompiledRule: rule, index: i}
		if kind, ok := rule.Type.(chroma.TokenType); ok && rule.Mutator == nil {
			r.kind, r.plain = kind, true
		}
		first, known := firstOf(strings.TrimPrefix(rule.Regexp.String(), `\G`))
		for c := range s {
			if !known || c == utf8.RuneSelf || first[c] {
				s[c] = append(s[c], r)
			}
		}
	}
	return s
}

// Tokenise implements chroma.Lexer.
func (q *quickLexer) Tokenise(options *chroma.TokeniseOptions, text string) (chroma.Iterator, error) {
	if options != nil || strings.Contains(text, "\r") || !strings.HasSuffix(text, "\n") {
		return q.RegexLexer.Tokenise(options, text)
	}
	return (&quickReading{quickLexer: q, LexerState: chroma.LexerState{
		Registry: lexers.GlobalLexerRegistry, Lexer: q.RegexLexer, Text: []rune(text), Stack: []string{"root"},
		Rules: q.rules, MutatorContext: map[any]any{},
	}}).next, nil
}

// quickReading is the state of a quick lexer that reads one code block.
type quickReading struct {
	*quickLexer
	chroma.LexerState
	// emitting is a stack of iterators over the tokens of matches.
	emitting []chroma.Iterator
}

// next returns the next token, or chroma.EOF at the end. It behaves like (*chroma.LexerState).Iterator, but tries only
// the rules in the quickState.
func (q *quickReading) next() chroma.Token {
	for {
		for len(q.emitting) > 0 {
			last := len(q.emitting) - 1
			token := q.emitting[last]()
			if token == chroma.EOF {
				q.emitting = q.emitting[:last]
			} else if token.Type != chroma.Ignore {
				return token
			}
		}
		if q.Pos >= len(q.Text) || len(q.Stack) == 0 {
			break
		}
		if token, ok := q.step(); ok {
			return token
		}
	}
	if q.Pos < len(q.Text) {
		rest := string(q.Text[q.Pos:])
		q.Pos = len(q.Text)
		return chroma.Token{Type: chroma.Error, Value: rest}
	}
	return chroma.EOF
}

// step applies the first rule that matches at the current position. If no rule matches, step switches to the root state
// at the end of a line, and returns an error token elsewhere. ok is false if the step produced no token.
func (q *quickReading) step() (token chroma.Token, ok bool) {
	q.State = q.Stack[len(q.Stack)-1]
	state := q.states[q.State]
	if state == nil {
		panic("unknown state " + q.State)
	}
	for _, rule := range state[min(q.Text[q.Pos], utf8.RuneSelf)] {
		match, err := rule.Regexp.FindRunesMatchStartingAt(q.Text, q.Pos)
		if match == nil || err != nil || match.RuneIndex != q.Pos {
			continue
		}
		if rule.plain {
			q.Pos += match.RuneLength
			return chroma.Token{Type: rule.kind, Value: match.String()}, rule.kind != chroma.Ignore
		}
		q.Rule, q.Groups, q.NamedGroups = rule.index, nil, make(map[string]string)
		for _, g := range match.Groups() {
			q.NamedGroups[g.Name] = g.String()
			q.Groups = append(q.Groups, g.String())
		}
		q.Pos += match.RuneLength
		if rule.Mutator != nil {
			if err := rule.Mutator.Mutate(&q.LexerState); err != nil {
				panic(err)
			}
		}
		if rule.Type != nil {
			q.emitting = append(q.emitting, rule.Type.Emit(q.Groups, &q.LexerState))
		}
		return token, false
	}
	if q.Text[q.Pos] == '\n' && q.State != "root" {
		q.Stack = []string{"root"}
		return token, false
	}
	q.Pos++
	return chroma.Token{Type: chroma.Error, Value: string(q.Text[q.Pos-1 : q.Pos])}, true
}

// firstOf returns the ASCII characters with which a match of pattern may start. known is false if the match may be
// empty or firstOf can't analyze the pattern. Patterns have .NET syntax. Constructs that package regexp/syntax accepts
// have the same meaning in .NET, except for the constructs that firstOf rejects. Zero-width assertions are omitted,
// which allows more starts, never fewer.
func firstOf(pattern string) (first [utf8.RuneSelf]bool, known bool) {
	for _, other := range []string{"[:", "-[", `\Q`, `\C`, `\1`, `\2`, `\3`, `\4`, `\5`, `\6`, `\7`, `\8`, `\9`} {
		if strings.Contains(pattern, other) {
			return first, false
		}
	}
	// Packages regexp and regexp2 may disagree about the lower case of a non-ASCII character.
	beyond := strings.ContainsFunc(pattern, func(r rune) bool { return r >= utf8.RuneSelf })
	pattern, ok := withoutLooks(pattern)
	if beyond || !ok {
		return first, false
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || addFirst(parsed, &first) {
		return first, false
	}
	// The space classes of packages regexp and regexp2 differ only in rare control characters, so every control
	// character except a tab and a line feed is a possible start.
	for c := range ' ' {
		first[c] = first[c] || c != '\n' && c != '\t'
	}
	return first, true
}

// withoutLooks removes lookahead and lookbehind from pattern, and converts atomic groups to ordinary groups. ok is
// false if pattern can't be converted.
func withoutLooks(pattern string) (rest string, ok bool) {
	var b strings.Builder
	depth, cut, class := 0, -1, false
	for i := 0; i < len(pattern); i++ {
		end := i + 1
		switch c := pattern[i]; {
		case c == '\\':
			end = min(i+2, len(pattern))
			// regexp2 treats [^\W\d] as if it included digits.
			if class && strings.ContainsAny(pattern[i+1:end], "WDSPp") {
				return "", false
			}
		case class:
			class = c != ']'
		case c == '[':
			class = true
			if strings.HasPrefix(pattern[end:], "^") {
				end++
			}
			if strings.HasPrefix(pattern[end:], "]") {
				end++
			}
		case c == '(':
			depth++
			for _, look := range []string{"?=", "?!", "?<=", "?<!"} {
				if cut < 0 && strings.HasPrefix(pattern[end:], look) {
					cut = depth
					// A quantifier after the removed assertion applies to the empty group.
					b.WriteString("(?:)")
				}
			}
			if cut < 0 && strings.HasPrefix(pattern[end:], "?>") {
				b.WriteString("(?:")
				i += 2
				continue
			}
		case c == ')':
			depth--
			if cut == depth+1 {
				cut = -1
				continue
			}
		}
		if cut < 0 {
			b.WriteString(pattern[i:end])
		}
		i = end - 1
	}
	return b.String(), depth == 0 && cut < 0 && !class
}

// addFirst adds the characters with which a match of re may start to first, and reports whether the match may be empty.
func addFirst(re *syntax.Regexp, first *[utf8.RuneSelf]bool) (empty bool) {
	anything := func() {
		for c := range first {
			first[c] = true
		}
	}
	switch re.Op {
	case syntax.OpNoMatch:
		return false
	case syntax.OpLiteral:
		fold := re.Flags&syntax.FoldCase != 0
		r := re.Rune[0]
		if r >= utf8.RuneSelf {
			// Some non-ASCII letters are case variants of ASCII letters.
			if fold {
				anything()
			}
			return false
		}
		first[r] = true
		if letter := r | 0x20; fold && 'a' <= letter && letter <= 'z' {
			first[letter], first[letter-0x20] = true, true
		}
		return false
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= min(re.Rune[i+1], utf8.RuneSelf-1); r++ {
				first[r] = true
			}
		}
		return false
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		anything()
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return addFirst(re.Sub[0], first)
	case syntax.OpRepeat:
		return addFirst(re.Sub[0], first) || re.Min == 0
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !addFirst(sub, first) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			empty = addFirst(sub, first) || empty
		}
		return empty
	case syntax.OpStar, syntax.OpQuest:
		addFirst(re.Sub[0], first)
	}
	// Optional parts, empty parts, and assertions match the empty string.
	return true
}
