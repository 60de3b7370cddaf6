package codec

import (
	"cmp"
	"maps"
	"slices"
)

// A Coder either writes or reads records. A single function lists the fields of a record for both purposes, so that
// fields are always read in the order in which they were written. A Coder that reads sets the fields. A Coder that
// writes leaves them unchanged.
type Coder struct {
	w *Writer
	r *Reader
}

// To returns a Coder that writes records.
func To(w *Writer) Coder { return Coder{w: w} }

// From returns a Coder that reads records.
func From(r *Reader) Coder { return Coder{r: r} }

// Reading reports whether the Coder reads records and sets their fields.
func (c Coder) Reading() bool { return c.r != nil }

// OK reports whether all reads so far have succeeded. For a Coder that writes, it returns true.
func (c Coder) OK() bool { return c.r == nil || c.r.OK() }

// Text writes or reads a string.
func (c Coder) Text(s *string) {
	if c.r != nil {
		*s = c.r.Text()
	} else {
		c.w.Text(*s)
	}
}

// Bytes writes or reads bytes.
func (c Coder) Bytes(b *[]byte) {
	if c.r != nil {
		*b = c.r.Bytes()
	} else {
		c.w.Bytes(*b)
	}
}

// Hash writes or reads a number in eight bytes.
func (c Coder) Hash(n *uint64) {
	if c.r != nil {
		*n = c.r.Hash()
	} else {
		c.w.Hash(*n)
	}
}

// Float writes or reads a floating-point number.
func (c Coder) Float(f *float64) {
	if c.r != nil {
		*f = c.r.Float()
	} else {
		c.w.Float(*f)
	}
}

// Bool writes or reads a Boolean.
func (c Coder) Bool(b *bool) {
	if c.r != nil {
		*b = c.r.Bool()
	} else {
		c.w.Bool(*b)
	}
}

// Uint writes or reads an unsigned varint, which is short for small numbers.
func Uint[T ~int | ~uint8 | ~uint32 | ~uint64](c Coder, n *T) {
	if c.r != nil {
		*n = T(c.r.Uint())
	} else {
		c.w.Uint(uint64(*n))
	}
}

// Int writes or reads a signed varint, which is short for numbers near zero.
func Int[T ~int | ~int64](c Coder, n *T) {
	if c.r != nil {
		*n = T(c.r.Int())
	} else {
		c.w.Int(int64(*n))
	}
}

// Time writes or reads a time in nanoseconds since 1970, in eight bytes.
func Time(c Coder, n *int64) {
	if c.r != nil {
		*n = int64(c.r.Hash())
	} else {
		c.w.Hash(uint64(*n))
	}
}

// Name is like Coder.Text for a named string type.
func Name[T ~string](c Coder, s *T) {
	if c.r != nil {
		*s = T(c.r.Text())
	} else {
		c.w.Text(string(*s))
	}
}

// List writes or reads the length of a list, and calls element to write or read each element, which must take at least
// one byte. It reads an empty list as nil.
func List[T any](c Coder, list *[]T, element func(*T)) {
	if c.r != nil {
		*list = nil
		if n := c.r.Count(); n > 0 {
			*list = make([]T, n)
		}
	} else {
		c.w.Uint(uint64(len(*list)))
	}
	for i := range *list {
		element(&(*list)[i])
	}
}

// Texts writes or reads a list of strings.
func (c Coder) Texts(list *[]string) { List(c, list, c.Text) }

// Map writes or reads a map, sorted by key. It calls key and value to write or read each entry. It reads an empty map
// as nil.
func Map[K cmp.Ordered, V any](c Coder, m *map[K]V, key func(*K), value func(*V)) {
	var keys []K
	if c.r == nil {
		keys = slices.Sorted(maps.Keys(*m))
	} else {
		*m = nil
	}
	List(c, &keys, func(k *K) {
		key(k)
		v := (*m)[*k]
		value(&v)
		if c.r != nil {
			if *m == nil {
				*m = make(map[K]V, len(keys))
			}
			(*m)[*k] = v
		}
	})
}
