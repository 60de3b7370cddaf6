package convert

import "testing"

func TestDollarsOfText(t *testing.T) {
	for _, test := range []struct {
		text, want string
		math       bool
	}{
		{"Use [a.$b](/c#d) and [e.$f](/g).", `Use [a.\$b](/c#d) and [e.$f](/g).`, true},
		{"Use [a.$b](/c#d) and [e.$f](/g).", `Use [a.\$b](/c#d) and [e.$f](/g).`, false},
		{"It is $x^2$ here.", "It is $x^2$ here.", true},
		{"It is $x^2$ here.", `It is \$x^2$ here.`, false},
		{"$5 and $10", "$5 and $10", false},
		{"`$a` and `b$`", "`$a` and `b$`", false},
		{"$$slots and $$props", `\$\$slots and $$props`, false},
		{"$$\nx\n$$", "$$\nx\n$$", true},
		{"a $b `c` d$ e", "a \\$b `c` d$ e", false},
	} {
		c := New(&Site{Math: test.math}, &Syntax{}, &Document{})
		if got := c.dollars(test.text); got != test.want {
			t.Errorf("math %v: %q became %q, want %q", test.math, test.text, got, test.want)
		}
	}
}
