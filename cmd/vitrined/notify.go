package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
)

// notifier speaks to the service manager that started the program (sd_notify(3)), so that `systemctl start` and
// `systemctl reload` return when the build is served, not when a signal was sent. Its zero value speaks to nobody.
type notifier struct {
	socket string
	log    *slog.Logger
}

// newNotifier takes the socket from the environment, from which programs that are started would inherit it.
func newNotifier(log *slog.Logger) notifier {
	socket := os.Getenv("NOTIFY_SOCKET")
	_ = os.Unsetenv("NOTIFY_SOCKET") // it cannot fail for this name
	return notifier{socket: socket, log: log}
}

// ready says that the program serves, and what.
func (n notifier) ready(status string) { n.send("READY=1", "STATUS="+status) }

// reloading says that the program loads the build again, with the moment at which it began: systemd holds it
// against that of its signal.
func (n notifier) reloading() {
	n.send("RELOADING=1", fmt.Sprintf("MONOTONIC_USEC=%d", monotonicMicroseconds()))
}

// stopping says that the program lets the requests under way finish.
func (n notifier) stopping() { n.send("STOPPING=1", "STATUS=finishing requests in progress") }

func (n notifier) send(lines ...string) {
	if n.socket == "" {
		return
	}
	connection, err := net.Dial("unixgram", n.socket) // a name that begins with @ is an abstract one
	if err == nil {
		_, err = connection.Write([]byte(strings.Join(lines, "\n")))
		_ = connection.Close() // the datagram is sent
	}
	if err != nil {
		n.log.LogAttrs(context.Background(), slog.LevelWarn, "the service manager could not be notified", slog.Any("error", err))
	}
}
