package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// object is a JSON object with ordered members. Each value is an object, an array, a string, an int, a bool, or a
// json.RawMessage.
type object []member

type member struct {
	name  string
	value any
}

// array is a JSON array. Its elements have the same types as the values of an object.
type array []any

// marshal returns value as JSON, indented by two spaces, with a final newline. Raw values keep their member order and
// number formatting. An error contains the path to the invalid value.
func marshal(value any) ([]byte, error) {
	var compact, indented bytes.Buffer
	if err := write(&compact, value); err != nil {
		return nil, err
	}
	if err := json.Indent(&indented, compact.Bytes(), "", "  "); err != nil {
		return nil, fmt.Errorf("indenting: %w", err)
	}
	indented.WriteByte('\n')
	return indented.Bytes(), nil
}

func write(b *bytes.Buffer, value any) error {
	switch value := value.(type) {
	case object:
		return writeObject(b, value)
	case array:
		return writeArray(b, value)
	case json.RawMessage:
		if !json.Valid(value) {
			return fmt.Errorf("not valid JSON: %.40q", value)
		}
		b.Write(value)
	case string:
		encoder := json.NewEncoder(b)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(value) // its newline is insignificant white space
	case int, bool:
		fmt.Fprint(b, value)
	default:
		return fmt.Errorf("a %T cannot be written as JSON", value)
	}
	return nil
}

func writeObject(b *bytes.Buffer, members object) error {
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := write(b, m.name); err != nil {
			return err
		}
		b.WriteByte(':')
		if err := write(b, m.value); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	b.WriteByte('}')
	return nil
}

func writeArray(b *bytes.Buffer, values array) error {
	b.WriteByte('[')
	for i, value := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := write(b, value); err != nil {
			return fmt.Errorf("%d: %w", i, err)
		}
	}
	b.WriteByte(']')
	return nil
}

// ref returns a reference to a component. For example, ref("schemas", "Plan") refers to the schema Plan.
func ref(kind, name string) object {
	return object{{"$ref", "#/components/" + kind + "/" + name}}
}
