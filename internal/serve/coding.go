package serve

import "vitrine/internal/artifact"

// CodingSet is a set of content codings. The zero CodingSet holds identity
// alone, which every set holds.
type CodingSet uint8

// With returns the set with a coding added.
func (s CodingSet) With(c artifact.Coding) CodingSet {
	return s | 1<<c
}

// Has reports whether a coding is in the set.
func (s CodingSet) Has(c artifact.Coding) bool {
	return c == artifact.Identity || s&(1<<c) != 0
}

// ChooseCoding picks the content coding of an answer by the request's
// Accept-Encoding (RFC 9110 §12.5.3) among those available. A field sent on
// several lines is passed joined with commas; present says whether there was
// one at all.
//
// The greatest weight wins, and br before gzip before identity where weights
// tie. A coding that is not listed has the weight of "*", and where there is
// no "*" it is not acceptable; identity is, but last. x-gzip is gzip (§8.4.1.3).
// Of a coding listed twice the greatest weight counts. An empty field asks for
// identity; without a field any coding would be acceptable, but who does not
// say that they decode one may well not, so that identity is safe. Where no
// available coding is acceptable the answer is identity, as the RFC asks for;
// even where identity was refused too, since a body serves better than an error.
func ChooseCoding(acceptEncoding string, present bool, available CodingSet) artifact.Coding {
	if !present {
		return artifact.Identity
	}
	const unlisted = -1
	identity, gzip, brotli, others := unlisted, unlisted, unlisted, unlisted
	for acceptEncoding != "" {
		var m member
		m, acceptEncoding = nextMember(acceptEncoding)
		switch {
		case equalFold(m.name, "br"):
			brotli = max(brotli, m.weight)
		case equalFold(m.name, "gzip"), equalFold(m.name, "x-gzip"):
			gzip = max(gzip, m.weight)
		case equalFold(m.name, "identity"):
			identity = max(identity, m.weight)
		case m.name == "*":
			others = max(others, m.weight)
		}
	}
	if brotli == unlisted {
		brotli = others
	}
	if gzip == unlisted {
		gzip = others
	}
	if identity == unlisted {
		identity = others
	}
	chosen, best := artifact.Identity, max(identity, 0)
	if gzip > 0 && gzip >= best && available.Has(artifact.Gzip) {
		chosen, best = artifact.Gzip, gzip
	}
	if brotli > 0 && brotli >= best && available.Has(artifact.Brotli) {
		chosen = artifact.Brotli
	}
	return chosen
}
