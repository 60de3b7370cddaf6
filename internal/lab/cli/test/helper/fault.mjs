/** Preloaded to cause an unexpected error in the tool: a Node without a required function. */

Object.defineProperty(Intl, "Segmenter", { value: undefined });
