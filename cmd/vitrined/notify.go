package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
)

// A notifier informs the service manager that started the program about its state (sd_notify(3)). This way, `systemctl
// start` and `systemctl reload` wait until the build is served. The zero value sends nothing.
type notifier struct {
	socket string
	log    *slog.Logger
}

// newNotifier reads the socket's name from the environment and unsets the variable so that child processes don't
// inherit it.
func newNotifier(log *slog.Logger) notifier {
	socket := os.Getenv("NOTIFY_SOCKET")
	_ = os.Unsetenv("NOTIFY_SOCKET") // can't fail for this name
	return notifier{socket: socket, log: log}
}

// ready reports that the program is serving. status is the line that the service manager shows as the program's status.
func (n notifier) ready(status string) { n.send("READY=1", "STATUS="+status) }

// reloading reports that the program is reloading the build. It includes the start time of the reload, which systemd
// compares with the time at which it requested the reload.
func (n notifier) reloading() {
	n.send("RELOADING=1", fmt.Sprintf("MONOTONIC_USEC=%d", monotonicMicroseconds()))
}

// stopping reports that the program is finishing the requests in progress.
func (n notifier) stopping() { n.send("STOPPING=1", "STATUS=finishing requests in progress") }

func (n notifier) send(lines ...string) {
	if n.socket == "" {
		return
	}
	connection, err := net.Dial("unixgram", n.socket) // a name that begins with @ identifies an abstract socket
	if err == nil {
		_, err = connection.Write([]byte(strings.Join(lines, "\n")))
		_ = connection.Close() // the datagram has already been sent
	}
	if err != nil {
		n.log.LogAttrs(context.Background(), slog.LevelWarn, "the service manager could not be notified", slog.Any("error", err))
	}
}
