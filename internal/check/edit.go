package check

import (
	"bytes"
	"regexp"
	"strings"

	"vitrine/internal/site"
)

// destinationEdit returns the edit that replaces the destination of the link at pos in a page's source. The edit is
// zero if the new destination is empty, is unchanged, or would require escapes. It is also zero if the source doesn't
// contain old literally, for example because of escapes or facts, or if the position of old is uncertain.
func destinationEdit(source []byte, pos site.Pos, old, destination string) site.Edit {
	if old == "" || destination == "" || destination == old || strings.ContainsAny(destination, " <>()\\\n") {
		return site.Edit{}
	}
	at, ok := DestinationAt(source, pos, old)
	if !ok {
		return site.Edit{}
	}
	return site.Edit{Start: at, Old: old, New: destination}
}

// DestinationAt returns the byte offset of old, the destination of the link at pos in a page's source. ok is false if
// the source doesn't contain old literally or the position is uncertain.
func DestinationAt(source []byte, pos site.Pos, old string) (at int, ok bool) {
	at, ok = site.Offset(source, pos)
	if !ok {
		return 0, false
	}
	rest := source[at:]
	if bytes.HasPrefix(rest, []byte("!")) {
		rest = rest[1:]
	}
	switch {
	case bytes.HasPrefix(rest, []byte("<"+old+">")):
		at++
	case bytes.HasPrefix(rest, []byte(old)):
	case bytes.HasPrefix(rest, []byte("[")):
		end := closingBracket(rest)
		if end < 0 {
			return 0, false
		}
		if at = len(source) - len(rest) + end; at < len(source) && source[at] == '(' {
			for at++; at < len(source) && strings.IndexByte(" \t\r\n<", source[at]) >= 0; at++ {
			}
		} else if at = definition(source, old); at < 0 {
			return 0, false
		}
	default:
		return 0, false
	}
	if after := at + len(old); after > len(source) || string(source[at:after]) != old || after < len(source) && strings.IndexByte(" \t\r\n>)", source[after]) < 0 &&
		source[at-1] != '<' && bytes.HasPrefix(rest, []byte("[")) {
		return 0, false
	}
	return at, true
}

// closingBracket returns the offset after the closing bracket that matches the bracket at the start of text, or -1 if
// the offset is uncertain.
func closingBracket(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '`', '\x00':
			// Don't guess whether a bracket is in code, or how the parser reads a NUL.
			return -1
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// definition returns the offset of destination in the only reference definition with that destination. It returns -1 if
// there is no such definition or more than one.
func definition(source []byte, destination string) int {
	form := regexp.MustCompile(`(?m)^ {0,3}\[[^\]\n]+\]:[ \t]*<?` + regexp.QuoteMeta(destination) + `(?:[>\s]|$)`)
	all := form.FindAllIndex(source, 2)
	if len(all) != 1 {
		return -1
	}
	start := all[0][0]
	return start + bytes.LastIndex(source[start:all[0][1]], []byte(destination))
}
