import { createRequire } from 'node:module';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { count } from '../lib/findings.mjs';
import { validate } from '../lib/xml.mjs';

const require = createRequire(import.meta.url);
const types = { 'application/atom+xml': atom, 'application/feed+json': json };

/**
 * Checks the feeds that pages link to: every page links to the same valid Atom feed (RFC 4287) and JSON Feed. Both have the
 * same entries, each with an absolute URL that returns 200.
 */
export default async function feeds(site, found) {
  const named = await discover(site, found);
  const entries = {};
  for (const [type, read] of Object.entries(types)) {
    const url = named[type];
    if (!url) {
      found.add('pages', `no page links to a feed of type ${type}`);
      continue;
    }
    const path = new URL(url, site.base).pathname;
    const answer = await fetch(site.url + path);
    if (answer.status !== 200) found.add(path, `responds with ${answer.status}`);
    else if (!answer.headers.get('content-type')?.startsWith(type)) found.add(path, `is ${answer.headers.get('content-type')}`);
    else entries[type] = await read(site, path, await answer.text(), found);
  }
  const [first, second] = Object.values(entries);
  if (first && second && JSON.stringify(first) !== JSON.stringify(second)) found.add('feeds', `differ: ${JSON.stringify(first)} and ${JSON.stringify(second)}`);
  for (const { url } of first ?? []) {
    const answer = await fetch(site.url + new URL(url).pathname, { redirect: 'manual' });
    if (answer.status !== 200) found.add(url, `responds with ${answer.status}`);
  }
  return `Atom (xmllint --relaxng) and JSON Feed (its schema): ${count(first?.length ?? 0, 'entry', 'entries')} each`;
}

/** Returns the feeds by type. Every page except 404.html must link to the same feeds. */
async function discover(site, found) {
  let common;
  for (const file of await site.files('.html')) {
    if (file === '404.html') continue;
    const links = [...(await site.text(file)).matchAll(/<link rel="alternate"[^>]*>/g)].map((m) => m[0]);
    const here = {};
    for (const link of links) {
      const type = link.match(/ type="([^"]+)"/)?.[1];
      if (types[type]) here[type] = link.match(/ href="([^"]+)"/)?.[1];
    }
    common ??= here;
    if (JSON.stringify(here) !== JSON.stringify(common)) found.add(file, `links to different feeds than the first page: ${JSON.stringify(here)}`);
  }
  return common;
}

async function atom(site, path, text, found) {
  await validate(join(site.public, path), 'relaxng', join(import.meta.dirname, '..', 'schemas', 'atom.rng'), path, found);
  const [head, ...parts] = text.split('<entry>');
  const tag = (part, name) => part.match(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`))?.[1];
  if (!new RegExp(`<link rel="self"[^>]* href="${site.base}${path}"`).test(head)) found.add(path, 'does not link to itself');
  if (!/<author>/.test(head) && parts.some((part) => !/<author>/.test(part))) found.add(path, 'has an entry without an author (4.1.1)');
  const entries = parts.map((part) => ({ url: part.match(/<link rel="alternate" type="text\/html" href="([^"]+)"/)?.[1], id: tag(part, 'id'), title: unescape(tag(part, 'title')) }));
  relative(parts.join(''), path, found, /(?:href|src)=&#34;([^&]*)&#34;|(?:href|src)=&quot;([^&]*)&quot;/g);
  const newest = parts.map((part) => tag(part, 'updated')).sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1);
  if (newest && Date.parse(tag(head, 'updated')) < Date.parse(newest)) found.add(path, 'is older than its newest entry');
  unique(entries, path, found);
  return entries;
}

async function json(site, path, text, found) {
  const feed = JSON.parse(text);
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
  const schema = require('jsonfeed-schema/schema-v1.1.json');
  if (!ajv.validate(schema, feed)) for (const e of ajv.errors) found.add(`${path} ${e.instancePath}`, e.message);
  if (feed.feed_url !== site.base + path) found.add(path, `has the feed_url ${feed.feed_url}`);
  for (const item of feed.items) relative(item.content_html ?? '', path, found, /(?:href|src)="([^"]*)"/g);
  const entries = feed.items.map((item) => ({ url: item.url, id: item.id, title: item.title }));
  unique(entries, path, found);
  return entries;
}

/** Checks that links in an entry's content are absolute, because feed readers show the content elsewhere. */
function relative(text, path, found, links) {
  for (const m of text.matchAll(links)) {
    const href = m[1] ?? m[2] ?? '';
    if (!/^(https?:|mailto:|tel:|data:)/.test(href)) found.add(path, `has the relative link ${href}`);
  }
}

function unique(entries, path, found) {
  if (new Set(entries.map((entry) => entry.id)).size !== entries.length) found.add(path, 'has a duplicate id');
}

function unescape(text = '') {
  return text.replace(/&(#\d+|#x[0-9a-f]+|amp|lt|gt|quot|apos);/gi, (all, name) => {
    if (name[0] === '#') return String.fromCodePoint(name[1] === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1)));
    return { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name.toLowerCase()];
  });
}
