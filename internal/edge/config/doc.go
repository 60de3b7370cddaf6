// Package config writes the configuration of the programs that serve a
// build, or stand before vitrined, on a machine of one's own: nginx, Caddy,
// Varnish, systemd and Docker. It promises configurations that the tests of
// this package have run for real against the wire contract: what a target
// cannot do is declared there, exchange by exchange, and stands in
// docs/capabilities-servers.md. No configuration sends a rate-limit field of
// its own, and none lets a shared cache keep an answer that carries one.
package config
