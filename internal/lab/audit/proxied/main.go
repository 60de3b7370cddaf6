// Command proxied plays the exchanges of the wire contract. It sends each GET and OPTIONS request for the JSON
// operation a second time, through a validation proxy in front of a separate vitrined. The proxy validates the requests
// that it accepts, and their responses, against the OpenAPI description. The command exits with 1 if the proxy reports
// a violation, or if a response doesn't match its exchange.
//
// The command doesn't send HEAD requests through the proxy, because the proxy expects a JSON body. It also omits
// requests with other methods, because OpenAPI describes no operations for them, and requests that are written as raw
// bytes, because the proxy can't read them.
//
// With -expect-violation, the command sends one request and exits with 0 only if the proxy reports a violation. With a
// wrong description, this proves that the proxy validates.
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

// run plays the exchanges of the contract, and writes a line with the numbers of exchanges, of requests through the
// proxy, and of omitted requests.
func run(ctx context.Context, arguments []string, out io.Writer) error {
	flags := flag.NewFlagSet("proxied", flag.ContinueOnError)
	command := flags.String("vitrined", "vitrined", "the `program` to start")
	dir := flags.String("dir", "build", "the `folder` of the build")
	proxy := flags.String("proxy", "", "the `URL` of the validation proxy")
	behind := flags.String("behind", "", "the `address` that the proxy forwards to")
	expect := flags.Bool("expect-violation", false, "send one request that the proxy must reject")
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
	fmt.Fprintf(out, "%d exchanges; %d requests through the proxy, with the response statuses %s; requests not sent through the proxy: %s\n", exact, m.count(), m.statuses(), m.skipped())
	if m.count() == 0 {
		return errors.New("no request went through the proxy")
	}
	if failed > 0 {
		return errors.Join(report.Err(), m.err())
	}
	return m.err()
}

// expectViolation sends one request and returns an error if the proxy reports no violation.
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
		return errors.New("the proxy reported no violation, although the description does not match the response")
	}
	return nil
}

// newTransport returns a transport that doesn't decompress bodies. The transport also doesn't reuse connections,
// because the servers are restarted.
func newTransport() *http.Transport {
	return &http.Transport{DisableCompression: true, DisableKeepAlives: true, ResponseHeaderTimeout: 20 * time.Second}
}
