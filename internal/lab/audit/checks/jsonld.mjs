import { count } from '../lib/findings.mjs';
import { Vocabulary } from '../lib/vocabulary.mjs';
import { missing } from '../lib/site.mjs';

// The types of structured data that each kind of page must have.
const wanted = {
  home: ['Organization', 'WebSite', 'Offer'], // and the product, whose type comes from the content
  article: ['BlogPosting', 'BreadcrumbList'],
};

/** Checks that the JSON-LD of every page is valid JSON, and that schema.org defines its types, properties, and values. */
export default async function jsonld(site, found) {
  const vocabulary = await Vocabulary.read();
  const seen = { nodes: 0, types: new Set() };
  const article = await site.article();
  const tags = await site.languages();
  const product = JSON.parse(await site.text('api/v1/marketing.json'));
  for (const path of await site.pages()) {
    const answer = await fetch(site.url + path, { headers: { Accept: 'text/html' } });
    const blocks = [...(await answer.text()).matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)];
    const types = [];
    for (const [, text] of blocks) {
      let data;
      try {
        data = JSON.parse(text);
      } catch (error) {
        found.add(path, `JSON-LD does not parse: ${error.message}`);
        continue;
      }
      const context = data['@context'];
      if (!/^https:\/\/schema\.org\/?$/.test(context)) found.add(path, `has the context ${JSON.stringify(context)}`);
      delete data['@context'];
      const graph = data['@graph'] ?? [data];
      for (const node of graph) walk(node, path, [], vocabulary, found, (type, at) => {
        types.push(type);
        seen.nodes++;
        seen.types.add(type);
        if (type === 'Offer') offer(at, path, product, tags, found);
      });
    }
    const kind = path === '/' ? 'home' : path === article ? 'article' : '';
    for (const type of [...(wanted[kind] ?? []), ...(kind === 'home' ? [product.schemaType ?? 'Product'] : [])]) if (!types.includes(type)) found.add(path, `has no ${type}`);
    if (path.endsWith(missing) && blocks.length > 0) found.add(path, 'describes a page that does not exist');
  }
  return `schema.org: ${count(seen.nodes, 'node')} of the types ${[...seen.types].sort().join(', ')}`;
}

/** Compares a node and its descendants with the vocabulary, and calls visit for each. */
function walk(node, path, trail, vocabulary, found, visit) {
  const place = `${path} JSON-LD ${trail.join('.')}`.trimEnd();
  const type = node['@type'];
  if (type === undefined) {
    // A node without a type refers to one that is defined elsewhere.
    if (!node['@id']) found.add(place, 'has neither a type nor an id');
    return;
  }
  if (!vocabulary.has(type)) {
    found.add(place, `there is no type ${type}`);
    return;
  }
  visit(type, node);
  for (const [property, value] of Object.entries(node)) {
    // "query-input" declares a part of an action's address (schema.org/docs/actions.html); it isn't a property.
    if (property.startsWith('@') || property.endsWith('-input')) continue;
    const ranges = vocabulary.ranges(type, property);
    if (!ranges) {
      found.add(place, `${type} has no property ${property}`);
      continue;
    }
    for (const one of Array.isArray(value) ? value : [value]) {
      hold(one, ranges, `${place}.${property}`, vocabulary, found);
      if (one && typeof one === 'object') walk(one, path, [...trail, property], vocabulary, found, visit);
    }
  }
}

/** Checks that a value has one of its property's types. */
function hold(value, ranges, place, vocabulary, found) {
  const is = (...types) => types.some((type) => ranges.includes(type));
  if (value === null || value === '') {
    found.add(place, 'is empty');
  } else if (typeof value === 'object') {
    if (value['@type'] && !vocabulary.fits(value['@type'], ranges)) found.add(place, `is a ${value['@type']}; it takes ${ranges.join(', ')}`);
  } else if (typeof value === 'number') {
    if (!is('Number', 'Integer', 'Float', 'Text')) found.add(place, `is a number; it takes ${ranges.join(', ')}`);
  } else if (typeof value === 'boolean') {
    if (!is('Boolean')) found.add(place, `is a boolean; it takes ${ranges.join(', ')}`);
  } else {
    text(value, is, ranges, place, vocabulary, found);
  }
}

/** Checks that a string is valid for its property: a URL, a date, a named value, or any text. */
function text(value, is, ranges, place, vocabulary, found) {
  const address = /^https?:\/\/[^\s]+$/.test(value);
  const member = value.match(/^https?:\/\/schema\.org\/(\w+)$/);
  if (member && vocabulary.isMember(member[1], ranges)) return;
  if (is('Date', 'DateTime') && !/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$/.test(value)) {
    if (!is('Text')) found.add(place, `${value} is not a date`);
    return;
  }
  if (is('URL') && !is('Text') && !address) found.add(place, `${value} is not an absolute URL`);
  if (!is('Text', 'URL', 'Date', 'DateTime', 'Time', 'Duration', 'CssSelectorType', 'XPathType', 'PronounceableText') && !address && !(is('Number') && value !== '' && !Number.isNaN(Number(value)))) {
    found.add(place, `is a string; it takes ${ranges.join(', ')}`);
  }
}

/** Checks that an offer is a published plan with its price. Plan names are translated, so in other languages only the price must match. */
function offer(node, path, product, tags, found) {
  const price = Number(node.price ?? node.priceSpecification?.price);
  const translated = tags.includes(path.split('/')[1]);
  const plan = product.pricing.plans.find((one) => (translated ? one.monthlyPrice === price : one.name === node.name));
  if (!plan) found.add(path, `offers ${node.name}, which is not a plan`);
  else if (price !== plan.monthlyPrice) found.add(path, `offers ${node.name} for ${node.price}; it costs ${plan.monthlyPrice}`);
  const currency = node.priceCurrency ?? node.priceSpecification?.priceCurrency;
  if (currency !== product.pricing.currency) found.add(path, `offers ${node.name} in ${currency}`);
}
