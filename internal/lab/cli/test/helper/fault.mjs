/** Preloaded to cause an unexpected error in the tool, by removing a function that it requires from Node. */

Object.defineProperty(Intl, "Segmenter", { value: undefined });
