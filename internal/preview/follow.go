package preview

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
)

// Event is an event in a preview's event stream, as received by a browser.
type Event struct {
	// Name is EventHello, EventReload, or EventProblems.
	Name string
	View View
}

// Follow yields the events that the page at path receives from the preview running at the URL base, such as
// "http://127.0.0.1:8080". It ends with an error from ctx or the connection, or with io.EOF once the preview has ended.
func Follow(ctx context.Context, base, path string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if err := follow(ctx, base, path, func(e Event) bool { return yield(e, nil) }); err != nil {
			yield(Event{}, fmt.Errorf("receiving events from the preview at %s: %w", base, err))
		}
	}
}

func follow(ctx context.Context, base, path string, yield func(Event) bool) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+EventsPath+"?path="+url.QueryEscape(path), nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("unexpected response %s", answer.Status)
	}
	reader := bufio.NewReader(answer.Body)
	var event Event
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return err
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "event":
			event = Event{Name: value}
		case "data":
			if err := json.Unmarshal([]byte(value), &event.View); err != nil {
				return fmt.Errorf("reading an event: %w", err)
			}
			if !yield(event) {
				return nil
			}
		}
	}
}
