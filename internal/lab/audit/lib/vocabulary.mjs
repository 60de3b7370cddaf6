import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const schema = /^https?:\/\/schema\.org\//;
const predicates = {
  'http://www.w3.org/2000/01/rdf-schema#subClassOf': 'parents',
  'http://schema.org/domainIncludes': 'domains',
  'http://schema.org/rangeIncludes': 'ranges',
};

/** The vocabulary of schema.org: its types, with their properties and the value types of each property. */
export class Vocabulary {
  #terms = new Map();

  /** Reads the vocabulary from the package @vocabulary/schema. */
  static async read() {
    const require = createRequire(import.meta.url);
    const file = join(dirname(require.resolve('@vocabulary/schema/package.json')), 'schema.nq');
    const vocabulary = new Vocabulary();
    for (const line of (await readFile(file, 'utf8')).split('\n')) {
      const m = line.match(/^<([^>]+)> <([^>]+)> <([^>]+)>/);
      if (m && schema.test(m[1])) vocabulary.#add(name(m[1]), m[2], m[3]);
    }
    return vocabulary;
  }

  #add(subject, predicate, object) {
    if (!this.#terms.has(subject)) this.#terms.set(subject, { parents: [], domains: [], ranges: [], types: [] });
    const term = this.#terms.get(subject);
    if (predicate.endsWith('#type')) term.types.push(name(object));
    else term[predicates[predicate]]?.push(name(object));
  }

  has(term) {
    return this.#terms.has(term);
  }

  get size() {
    return this.#terms.size;
  }

  /** Returns a type and its ancestors. */
  kinds(type) {
    const all = new Set([type]);
    for (const one of all) for (const parent of this.#terms.get(one)?.parents ?? []) all.add(parent);
    return all;
  }

  /** Returns the value types of a type's property, or undefined if the type doesn't have the property. */
  ranges(type, property) {
    const term = this.#terms.get(property);
    const kinds = this.kinds(type);
    return term?.domains.some((domain) => kinds.has(domain)) ? term.ranges : undefined;
  }

  /** Reports whether a value of a type is valid for one of the value types. */
  fits(type, ranges) {
    const kinds = this.kinds(type);
    return ranges.some((range) => kinds.has(range));
  }

  /** Reports whether a term is a named value of a type, such as InStock of ItemAvailability. */
  isMember(term, ranges) {
    return this.#terms.get(term)?.types.some((type) => ranges.includes(type)) ?? false;
  }
}

function name(iri) {
  return iri.replace(schema, '').replace(/^http:\/\/www\.w3\.org\/.*#/, '');
}
