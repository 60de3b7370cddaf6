package site

import "vitrine/internal/codec"

// Record writes p to c or reads it from c, depending on the mode of c.
func (p *Problem) Record(c codec.Coder) {
	c.Text(&p.Path)
	p.Pos.Record(c)
	codec.Uint(c, &p.Severity)
	codec.Name(c, &p.Code)
	c.Text(&p.Text)
	codec.Uint(c, &p.Fix.Start)
	c.Text(&p.Fix.Old)
	c.Text(&p.Fix.New)
}

// Record writes p to c or reads it from c, depending on the mode of c.
func (p *Pos) Record(c codec.Coder) {
	codec.Uint(c, &p.Line)
	codec.Uint(c, &p.Col)
}

// RecordFact writes f to c or reads it from c, depending on the mode of c.
func RecordFact(c codec.Coder, f *Fact) {
	codec.Uint(c, &f.Kind)
	c.Text(&f.Text)
	c.Texts(&f.Keys)
	codec.List(c, &f.Items, func(item **Fact) {
		if c.Reading() {
			*item = new(Fact)
		}
		RecordFact(c, *item)
	})
}
