package config_test

// difference is what a host answers otherwise than the contract says, by the
// exchanges that show it.
type difference struct {
	// File and Case name a case of the contract.
	File, Case string
	// Instead is, for each exchange of the case that is answered otherwise, its
	// first line that does not hold, an arrow, and what came.
	Instead []string
	// Why says so in a sentence for the docs, without the name of the host.
	Why string
}

// declared returns the differences of a host: those and no others are found.
func declared(name string) []difference {
	switch name {
	case "nginx-files", "nginx-cache":
		return []difference{
			{
				"accept.txt", "the lines of a repeated field are one list",
				[]string{"header Content-Type = text/markdown; charset=utf-8 → text/html; charset=utf-8"},
				"Of an `Accept` field on several lines nginx before 1.23 shows its configuration the first line alone.",
			},
			{
				"conditional.txt", "one tag of a list is enough",
				[]string{"answers 304 → 400"},
				"An `If-None-Match` field on several lines is refused with 400; a list on one line is compared exactly.",
			},
			{
				"protocol.txt", "the case of a method counts",
				[]string{"answers 405 → 400"},
				"A method in lower case is refused with 400, by the parser.",
			},
			{
				"protocol.txt", "a path that climbs out of the site, or that cannot be read, leads nowhere",
				[]string{"answers 404 → 400", "answers 404 → 400", "answers 404 → 400"},
				"A path that climbs out of the root or has a `%00` is refused with 400, by the parser.",
			},
		}
	}
	return nil
}
