// Searches the index. search.js loads this file on the first search. It loads only the index files that contain the words.
//
// The code that splits, folds, and stems words exists twice: here, and in internal/search, which creates the index.

/** The number of results to show at a time, and the maximum number of files to load for corrections and completions. */
const shown = 8, mostCorrecting = 20, mostCompleting = 2;
/** The weight of each grade that a word can have on a page. */
const worths = [1, 2, 3, 4, 6, 9, 13, 18];

// Words.

const marks = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;
const letters = {
  ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", ħ: "h", þ: "th", ı: "i", ς: "σ",
  "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0629": "\u0647", "\u0671": "\u0627",
  "\u05da": "\u05db", "\u05dd": "\u05de", "\u05df": "\u05e0", "\u05e3": "\u05e4", "\u05e5": "\u05e6",
};
const special = new RegExp(`[${Object.keys(letters).join("")}]`, "gu");
const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\uff66-\uff9f\u{20000}-\u{31fff}]/u;
const runs = /[\p{L}\p{N}\p{M}]+/gu;
const longest = 40;

const isAscii = (text) => /^[\0-\x7f]*$/.test(text);
const lower = (word) => isAscii(word) ? word.toLowerCase() : Array.from(word, (c) => c === "İ" ? "i" : c.toLowerCase()).join("");
const unmarked = (word) => word.normalize("NFKD").replace(marks, "");

/** Normalizes a word for comparison: lower case, without accents. */
export const fold = (word) => {
  const small = lower(word);
  return isAscii(word) ? small : unmarked(small).replace(special, (c) => letters[c]).normalize("NFC");
};

/** Splits text into words with their positions: [word, begin, end]. In scripts without spaces, the words are pairs of characters. */
export function* cut(text) {
  for (const { 0: run, index } of text.matchAll(runs)) {
    let at = index, begin = index, paired = null, held = [];
    const flush = function* () {
      if (held.length === 0) return;
      if (!paired) yield [held.slice(0, longest).join(""), begin, at];
      else for (let i = 0, from = begin; i < held.length; from += held[i++].length) {
        const word = held[i] + (held[i + 1] ?? "");
        yield [word, from, from + word.length];
      }
    };
    for (const c of run) {
      const is = unspaced.test(c) || paired === true && /\p{M}/u.test(c);
      if (paired !== null && is !== paired) {
        yield* flush();
        held = [];
        begin = at;
      }
      paired = is;
      // Kana sound marks belong to the preceding character.
      if (is && held.length > 0 && /[\u3099\u309a\uff9e\uff9f]/.test(c)) held[held.length - 1] += c;
      else held.push(c);
      at += c.length;
    }
    yield* flush();
  }
}

/** Returns a function that stems words with the language's algorithm, or only folds them if there is no algorithm. */
export const stemming = (algorithm) => {
  const known = new Map();
  const run = (word) => {
    if (!algorithm || /[^\p{L}\p{M}]/u.test(word)) return fold(word);
    let small = lower(word).normalize("NFC").replaceAll("ё", "е");
    if (/[\u0600-\u077f]/.test(small)) small = unmarked(small).replaceAll("\u0671", "\u0627");
    return fold(algorithm(small)) || fold(word);
  };
  return (word) => {
    let stem = known.get(word);
    if (stem === undefined) known.set(word, stem = run(word));
    return stem;
  };
};

/** Returns the number of wrong, missing, extra, or swapped letters, or limit + 1 if there are more than limit. */
export const distance = (a, b, limit) => {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before = [], last = b.map((_, j) => j).concat(b.length);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    if (Math.min(...row) > limit) return limit + 1;
    [before, last] = [last, row];
  }
  return last[b.length];
};

// The index.

const encoder = new TextEncoder(), decoder = new TextDecoder();
/** Encodes a key as a string with one byte per character, because keys are compared byte by byte. */
const key = (text) => String.fromCharCode(...encoder.encode(text));
const bytes = (chars) => Uint8Array.from(chars, (c) => c.charCodeAt(0));
const plain = (chars) => decoder.decode(bytes(chars));

class Reader {
  constructor(data) { this.data = data; this.at = 0; }
  get more() { return this.at < this.data.length; }
  number() {
    let n = 0, scale = 1;
    for (;;) {
      const b = this.data[this.at++];
      n += (b & 0x7f) * scale;
      if (b < 0x80) return n;
      scale *= 128;
    }
  }
  take(size) { return this.data.subarray(this.at, this.at += size); }
}

const answer = (response) => {
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response;
};

/** Opens an index, given its root. */
export const open = async (root) => {
  const index = new Index(root);
  const [algorithm] = await Promise.all([root.stemmer ? import(root.stemmer) : null, index.file(root.root)]);
  index.stem = stemming(algorithm?.default);
  return index;
};

/** An index that fetches its files on demand. */
class Index {
  #root; #files = new Map();

  constructor(root) { this.#root = root; }

  /** Returns the path of the file with the given hash. */
  #path(hash) { return this.#root.files.replace("*", Array.from(hash, (b) => b.toString(16).padStart(2, "0")).join("")); }

  async #bytes(path) {
    const { body } = answer(await fetch(path));
    return new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  }

  /** Returns the entries of a file, in order. */
  file(path) {
    let entries = this.#files.get(path);
    if (entries) return entries;
    entries = this.#bytes(path).then((data) => {
      const list = [], in_ = new Reader(data);
      for (let last = ""; in_.more;) {
        last = last.slice(0, in_.number()) + String.fromCharCode(...in_.take(in_.number()));
        list.push({ key: last, value: in_.take(in_.number()) });
      }
      return list;
    });
    this.#files.set(path, entries);
    entries.catch(() => { this.#files.delete(path); });
    return entries;
  }

  /** Returns the entries whose keys start with a prefix, from the first files that contain such entries. */
  async #beginning(begin, files = mostCompleting) {
    const end = begin + "\xff";
    let storey = [this.#root.root];
    for (let depth = this.#root.depth; depth > 0; depth--) {
      const nodes = (await Promise.all(storey.map((path) => this.file(path)))).flat();
      storey = nodes.filter((node, i) => node.key <= end && !(nodes[i + 1]?.key <= begin))
        .slice(0, files).map((node) => this.#path(node.value));
    }
    const all = (await Promise.all(storey.map((path) => this.file(path)))).flat();
    return all.filter((entry) => entry.key.startsWith(begin));
  }

  async #exactly(begin) {
    return (await this.#beginning(begin, 1)).find((entry) => entry.key === begin)?.value;
  }

  /** Returns the pages with a stem: how many there are, and the number, grade, and best piece of each stored page. */
  async #pages(stem) {
    const value = await this.#exactly("s" + key(stem));
    return value && read(value);
  }

  /** Returns the stems to search for instead of a word whose own stem isn't in the index. */
  async #meanings(word, budget) {
    const folded = fold(word), own = Array.from(folded);
    if (unspaced.test(folded)) {
      if (own.length > 1) return [];
      // A single character matches the pairs that start with it.
      return (await this.#beginning("s" + key(folded))).map(({ key, value }) =>
        ({ stem: plain(key.slice(1)), worth: 1, pages: read(value) }));
    }
    if (own.length < 3) return [];
    const words = (await this.#beginning("w" + key(folded))).map(readWord);
    const same = words.filter((known) => known.word === folded);
    // The word may have different accents, be incomplete, or be misspelled.
    const meant = words.length > 0 ? best(same.length > 0 ? same : words, 0) : await this.#corrections(own, budget);
    const found = await Promise.all(meant.map(async ({ stem, worth }) => ({ stem, worth, pages: await this.#pages(stem) })));
    return found.filter((meaning) => meaning.pages);
  }

  /** Returns corrections of an unknown word: for one error from five letters on, and for two errors from nine letters on. */
  async #corrections(own, budget) {
    if (own.length < 5 || !own.every((c) => /\p{L}/u.test(c))) return [];
    const size = own.length, part = (from, to) => own.slice(from, to).join("");
    const backward = (from) => own.slice(from).reverse().join("");
    // Collect the possible middles of the intended word.
    const middles = [];
    for (const first of [0, -1, 1]) for (const second of [0, -1, 1]) {
      const at = ((size + first + second - 3) >> 1) - first;
      middles.push("m" + part(at, at + 3));
    }
    /** Returns the nearest words that match the prefixes in the first group with matches. */
    const look = async (limit, ...groups) => {
      const near = new Map();
      for (const group of this.#root.depth === 0 ? [["w"]] : groups) {
        for (const begin of new Set(group)) {
          if (budget.files <= 0) break;
          const loaded = this.#files.size;
          const entries = await this.#beginning(key(begin), Math.min(begin[0] === "m" ? 1 : 8, budget.files));
          budget.files -= this.#files.size - loaded;
          for (const entry of entries) {
            const known = readWord(entry);
            if (near.has(known.word)) continue;
            const wrong = distance(own, Array.from(known.word), limit);
            if (wrong <= limit) near.set(known.word, { ...known, wrong });
          }
        }
        if (near.size > 0) break;
      }
      const least = Math.min(...[...near.values()].map((known) => known.wrong));
      return best([...near.values()].filter((known) => known.wrong === least), least);
    };
    // With one error, the part before or after the middle is correct. Two swapped letters may be on either side. Few words
    // share a middle, and many share an end.
    const half = size >> 1;
    const one = await look(1, ["w" + part(0, half)], size > 6 ? middles : [], ["b" + backward(half)], ["b" + backward(half + 1)]);
    if (one.length > 0 || size < 9) return one;
    // With two errors, the middle, the beginning, or the end is correct.
    const third = Math.max(2, Math.floor((size - 3) / 3));
    return look(2, middles, ["w" + part(0, half)], ["b" + backward(half)], ["w" + part(0, third)], ["b" + backward(size - third)]);
  }

  /** Returns the label of the documentation version that contains the page with this number, or undefined if there is none. */
  #version(number) {
    return this.#root.versions?.find(({ pages }) => pages.some(([from, to]) => from <= number && number < to))?.label;
  }

  /**
   * Searches the documentation version with a label, and all pages without a version. The default is the current version;
   * "*" selects all versions. Returns the number of matching pages, and next, which loads the next results:
   * {path, title, version, sections: [{path, heading, snippet}]}. Titles, headings, and snippets are lists of
   * [string, is a hit].
   */
  async search(query, version = this.#root.versions?.[0].label ?? "*") {
    let words = [...new Map([...cut(query)].map(([word]) => [this.stem(word), word])).values()];
    // The last character of a run is redundant, because the pair before it contains it.
    const pairs = words.filter((word) => unspaced.test(word) && Array.from(word).length > 1);
    words = words.filter((word) => !pairs.some((pair) => pair !== word && pair.endsWith(word))).slice(0, 12);
    const budget = { files: mostCorrecting };
    const terms = await Promise.all(words.map(async (word) => {
      const stem = this.stem(word), pages = await this.#pages(stem);
      return pages ? [{ stem, worth: 1, pages }] : [];
    }));
    // Process the words one after the other, because they share a budget of files.
    for (let turn = 0; turn < words.length; turn++) {
      if (terms[turn].length === 0) terms[turn] = await this.#meanings(words[turn], budget);
    }
    const pages = new Map(), wanted = new Map();
    const wants = (number) => {
      const own = version === "*" ? undefined : this.#version(number);
      wanted.set(number, own === undefined || own === version);
      return wanted.get(number);
    };
    terms.forEach((meanings, turn) => {
      for (const { worth, pages: { all, list } } of meanings) {
        const rarity = Math.log(1 + this.#root.pages / all) * worth;
        for (const [number, grade, piece] of list) {
          let page = pages.get(number);
          if (!page && !(wanted.get(number) ?? wants(number))) continue;
          if (!page) pages.set(number, page = { number, worth: 0, words: new Set(), pieces: new Map(), best: [] });
          const gain = rarity * worths[grade];
          // Only the best meaning of a word counts.
          page.worth += Math.max(0, gain - (page.best[turn] ?? 0));
          page.best[turn] = Math.max(gain, page.best[turn] ?? 0);
          page.words.add(turn);
          page.pieces.set(piece, (page.pieces.get(piece) ?? 0) + gain);
        }
      }
    });
    // A word is common if the index doesn't store all its pages. A common word doesn't exclude pages.
    const common = terms.map((meanings) => meanings.some(({ pages: { all, list } }) => all > list.length));
    const all = common.every(Boolean);
    const count = (page) => [...page.words].filter((turn) => all || !common[turn]).length;
    const most = Math.max(0, ...[...pages.values()].map(count));
    const hits = [...pages.values()].filter((page) => count(page) === most);
    hits.sort((a, b) => b.worth - a.worth || a.number - b.number);
    const stems = new Set(terms.flat().map((meaning) => meaning.stem));
    let at = 0;
    return {
      count: hits.length,
      next: () => Promise.all(hits.slice(at, at += shown).map((page) => this.#result(page, stems))),
      more: () => at < hits.length,
    };
  }

  async #result(page, stems) {
    const [piece] = [...page.pieces].reduce((a, b) => b[1] > a[1] ? b : a);
    const name = String.fromCharCode(112, page.number >>> 24, page.number >>> 16 & 255, page.number >>> 8 & 255, page.number & 255, piece >> 8, piece & 255);
    const value = await this.#exactly(name);
    const data = value.length === 8 ? await this.#bytes(this.#path(value)) : value;
    const [path, title, sections] = JSON.parse(decoder.decode(data));
    return { path, title: marked(title, this.stem, stems), version: this.#version(page.number), sections: excerpts(path, sections, this.stem, stems) };
  }
}

/** Decodes the entry of a stem. */
const read = (value) => {
  const in_ = new Reader(value), all = in_.number(), list = [];
  for (let number = -1; in_.more;) {
    const n = in_.number();
    number += Math.floor(n / 16);
    list.push([number, n >> 1 & 7, n & 1 ? in_.number() : 0]);
  }
  return { all, list };
};

/** Decodes the entry of a word. Keys that start with the end or the middle of a word encode the word differently. */
const readWord = ({ key: held, value }) => {
  const text = plain(held.slice(1));
  const word = held[0] === "b" ? Array.from(text).reverse().join("") : held[0] === "m" ? Array.from(text).slice(3).join("") : text;
  return { word, often: value[0], stem: plain(key(word).slice(0, value[1]) + String.fromCharCode(...value.subarray(2))) };
};

/** Returns up to four different stems of the most frequent words. */
const best = (words, wrong) => {
  const stems = new Map();
  for (const known of words.sort((a, b) => b.often - a.often)) {
    if (!stems.has(known.stem)) stems.set(known.stem, { stem: known.stem, worth: 0.5 ** wrong });
  }
  return [...stems.values()].slice(0, 4);
};

// Results.

/** Returns the hits of a search in a string: [begin, end, stem]. */
const hitsIn = (text, stem, stems) => {
  const hits = [];
  for (const [word, begin, end] of cut(text)) {
    const own = stem(word);
    if (stems.has(own)) hits.push([begin, end, own]);
  }
  return hits;
};

/** Returns a string, or a part of it, as a list of [string, is a hit]. */
const marked = (text, stem, stems, hits = hitsIn(text, stem, stems), from = 0, to = text.length) => {
  const parts = [];
  let at = from;
  for (const [begin, end] of hits) {
    if (begin < from || end > to || end <= at) continue;
    if (begin > at) parts.push([text.slice(at, begin), false]);
    if (parts.at(-1)?.[1] && begin <= at) parts.at(-1)[0] += text.slice(at, end);
    else parts.push([text.slice(Math.max(begin, at), end), true]);
    at = end;
  }
  if (at < to) parts.push([text.slice(at, to), false]);
  return parts;
};

/** Returns the part of the text that contains the most words of the search, in the form of marked. */
const snippet = (text, stem, stems, hits) => {
  const size = 180;
  let best = 0, most = 0;
  hits.forEach(([begin], i) => {
    const there = new Set();
    for (let j = i; j < hits.length && hits[j][1] <= begin + size - 40; j++) there.add(hits[j][2]);
    if (there.size > most) [most, best] = [there.size, begin];
  });
  let from = text.length <= size ? 0 : Math.max(0, best - 40);
  let to = Math.min(text.length, from + size);
  // If there are spaces, don't cut words.
  if (from > 0) from = Math.max(from, Math.min(text.indexOf(" ", from) + 1 || from, best));
  if (to < text.length) {
    const space = text.lastIndexOf(" ", to);
    if (space > best + 20) to = space;
    else if (/[\ud800-\udbff]/.test(text[to - 1])) to--;
  }
  const parts = marked(text, stem, stems, hits, from, to);
  if (from > 0) parts.unshift(["… ", false]);
  if (to < text.length) parts.push([" …", false]);
  return parts;
};

/** Returns up to three sections of a piece with hits, best first. Without hits, it returns the first section. */
const excerpts = (path, sections, stem, stems) => {
  const list = sections.map(([anchor, heading, text], turn) => {
    const above = hitsIn(heading, stem, stems), below = hitsIn(text, stem, stems);
    const kinds = new Set([...above, ...below].map((hit) => hit[2])).size;
    return { turn, anchor, heading, text, above, below, worth: kinds * 100 + above.length * 20 + Math.min(below.length, 19) };
  });
  const found = list.filter((section) => section.worth > 0).sort((a, b) => b.worth - a.worth || a.turn - b.turn).slice(0, 3);
  return (found.length > 0 ? found : list.slice(0, 1)).map(({ anchor, heading, text, above, below }) => ({
    path: anchor ? `${path}#${encodeURIComponent(anchor)}` : path,
    heading: marked(heading, stem, stems, above),
    snippet: snippet(text, stem, stems, below),
  }));
};
