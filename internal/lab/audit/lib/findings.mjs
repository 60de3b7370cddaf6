/** Collects an audit's findings, each with a location and a description. */
export class Findings {
  #all = [];

  add(place, text) {
    this.#all.push(`${place}: ${text}`.trimEnd());
  }

  get empty() {
    return this.#all.length === 0;
  }

  get count() {
    return this.#all.length;
  }

  heading(summary) {
    return `${this.#all.length} found${summary ? `; ${summary}` : ''}`;
  }

  /** Returns up to 100 findings, without duplicates. */
  lines() {
    const distinct = [...new Set(this.#all)].map((text) => text.replaceAll('\n', '\n        '));
    const shown = distinct.slice(0, 100);
    if (distinct.length > shown.length) shown.push(`… and ${distinct.length - shown.length} more`);
    return shown;
  }
}

/** Returns a number with its noun, such as "1 page" or "2 pages". */
export function count(n, noun, nouns = `${noun}s`) {
  return `${n} ${n === 1 ? noun : nouns}`;
}
