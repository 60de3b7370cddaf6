package site

// Level is what a site or a page wants a rule to count as.
type Level uint8

// The levels.
const (
	LevelDefault Level = iota
	LevelOff
	LevelWarning
	LevelError
)

// ParseLevel reads a level as settings have it; ok is false for other words.
func ParseLevel(word string) (level Level, ok bool) {
	switch word {
	case "off":
		return LevelOff, true
	case "warning":
		return LevelWarning, true
	case "error":
		return LevelError, true
	}
	return LevelDefault, false
}
