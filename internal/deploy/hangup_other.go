//go:build !linux

package deploy

import (
	"context"
	"errors"
)

func hangUp(context.Context, string) error {
	return errors.New("vitrined can be found automatically only on Linux; specify a command, as in --reload=COMMAND")
}
