// Package facts gives the values of product.yaml to those who name them, so
// that no page repeats a fact by hand. What stands between "{{" and "}}" is an
// expression:
//
//   - a path, such as name, links.signup or pricing.plans.Team.monthlyPrice:
//     the members of maps by key, those of lists by index from 0 or by their
//     name; a part that has a dot in it stands in quotes;
//   - price "Team": the monthly price of a plan, in the site's language and
//     currency;
//   - plans: the price list, a table;
//   - meant: nothing at all; it tells the drift check that its line is right.
//
// It promises that a number is given in the form in which it was written, that
// an expression that means nothing is an error with the nearest one that does,
// and that every value tells which facts it was made of. A Book is safe for
// concurrent use.
package facts
