/** Loaded before the tool, gives it a fault that it does not expect: a Node without what it relies on. */

Object.defineProperty(Intl, "Segmenter", { value: undefined });
