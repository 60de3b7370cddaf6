// Command proxied plays the exchanges of the wire contract, and sends each GET
// and OPTIONS request to the JSON operation through a validation proxy too,
// which stands in front of a vitrined of its own. It promises that a request
// which the proxy lets through is held against the OpenAPI description, answer
// and all, and ends with 1 where the proxy reports a violation or where an
// exchange is not exact.
//
// HEAD is left out, for the proxy reads a JSON body where there is none; other
// methods are left out, for OpenAPI describes no operation for them; requests
// that are written to a connection as raw bytes are not HTTP that a proxy
// takes.
//
// With -expect-violation it sends one request and ends with 0 only where the
// proxy does report a violation: so a description that is wrong proves that
// the proxy looks.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"time"

	"vitrine/internal/contract"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run plays the exchanges and writes one line that counts them.
func run(ctx context.Context, arguments []string, out io.Writer) error {
	flags := flag.NewFlagSet("proxied", flag.ContinueOnError)
	command := flags.String("vitrined", "vitrined", "the `program` to start")
	dir := flags.String("dir", "build", "the `folder` of the build")
	proxy := flags.String("proxy", "", "the `URL` of the validation proxy")
	behind := flags.String("behind", "", "the `address` that the proxy forwards to")
	expect := flags.Bool("expect-violation", false, "send one request, which the proxy must object to")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	servers := &servers{command: *command, dir: *dir}
	defer servers.stop()
	m := &mirror{proxy: *proxy, direct: newTransport(), through: newTransport()}
	if *expect {
		return expectViolation(ctx, servers, m, *behind)
	}
	report, err := contract.Play(ctx, contract.Target{
		Can:       append(contract.OriginServer(), contract.ContentSignal, contract.SecurityContact),
		Transport: m,
		Fresh: func() (string, error) {
			servers.stop()
			if _, err := servers.start(ctx, *behind); err != nil {
				return "", err
			}
			return servers.start(ctx, "127.0.0.1:0")
		},
	})
	if err != nil {
		return err
	}
	exact, failed, _ := report.Counts()
	fmt.Fprintf(out, "%d exchanges, %d requests through the proxy, answered %s; left out: %s\n", exact, m.count(), m.statuses(), m.skipped())
	if m.count() == 0 {
		return errors.New("no request went through the proxy")
	}
	if failed > 0 {
		return errors.Join(report.Err(), m.err())
	}
	return m.err()
}

// expectViolation returns an error where the proxy lets an answer pass.
func expectViolation(ctx context.Context, s *servers, m *mirror, behind string) error {
	url, err := s.start(ctx, behind)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/api/v1/marketing", nil)
	if err != nil {
		return err
	}
	resp, err := m.RoundTrip(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if m.err() == nil {
		return errors.New("the proxy accepts a response that differs from its description")
	}
	return nil
}

// newTransport returns a transport that neither undoes codings nor keeps
// connections to a server that is about to be replaced.
func newTransport() *http.Transport {
	return &http.Transport{DisableCompression: true, DisableKeepAlives: true, ResponseHeaderTimeout: 20 * time.Second}
}
