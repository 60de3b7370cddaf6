//go:build !linux

package deploy

import (
	"context"
	"errors"
)

func hangUp(context.Context, string) error {
	return errors.New("finding vitrined is only possible on Linux; give a command, as in --reload=COMMAND")
}
