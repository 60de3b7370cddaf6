package site

// FactKind is the type of a Fact.
type FactKind uint8

// The kinds of facts.
const (
	NoFact FactKind = iota // null
	TruthFact
	NumberFact
	TextFact
	ListFact
	MapFact
)

// Fact is a value of product.yaml as it was written, additive members included.
type Fact struct {
	Kind FactKind
	// Text is a text's content, "true" or "false" of a truth value, and of a
	// number its JSON form, which keeps the digits that the editor wrote.
	Text string
	// Items are those of a list, or the values of a map, in the order written.
	Items []*Fact
	// Keys are the names of a map's Items.
	Keys []string
}

// Member returns the value of a key, nil where a map has no such key.
func (f *Fact) Member(key string) *Fact {
	for i, k := range f.Keys {
		if k == key {
			return f.Items[i]
		}
	}
	return nil
}
