package site

import (
	"reflect"
	"testing"
)

// Plans are arranged in full rows, for any number of plans. Plans are compared only if two of them share a feature.
func TestPlansAreCompared(t *testing.T) {
	plan := func(features ...string) Plan { return Plan{Features: features} }
	p := Pricing{Plans: []Plan{plan("a", "b"), plan("a", "c")}, OnRequest: []PlanOnRequest{{Name: "Large", Features: []string{"c"}}}}
	want := []ComparedFeature{{"a", []bool{true, true, false}}, {"b", []bool{true, false, false}}, {"c", []bool{false, true, true}}}
	if got := p.compare(); !reflect.DeepEqual(got, want) {
		t.Errorf("the comparison is %v, want %v", got, want)
	}
	if got := (&Pricing{Plans: []Plan{plan("a"), plan("b")}}).compare(); got != nil {
		t.Errorf("comparison of plans without a common feature: %v", got)
	}
	for n, want := range map[int]string{1: "one", 2: "two", 3: "three", 4: "four", 5: "three", 6: "three", 8: "four"} {
		if got := Columns(n); got != want {
			t.Errorf("%d plans are in %s columns, want %s", n, got, want)
		}
	}
}
