import { join } from 'node:path';
import { count } from '../lib/findings.mjs';
import { validate } from '../lib/xml.mjs';

/**
 * Checks every sitemap and sitemap index: it is valid and within the limits, and each URL returns 200 and is its own canonical
 * URL.
 */
export default async function sitemap(site, found) {
  const schemas = join(import.meta.dirname, '..', 'schemas');
  const files = (await site.files('.xml')).filter((file) => /sitemap/.test(file));
  if (!files.includes('sitemap.xml')) found.add('sitemap.xml', 'is missing');
  const locations = [];
  for (const file of files) {
    const text = await site.text(file);
    const isIndex = text.includes('<sitemapindex');
    await validate(join(site.public, file), 'schema', join(schemas, isIndex ? 'siteindex.xsd' : 'sitemap.xsd'), file, found);
    const here = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map((m) => m[1]);
    if (here.length > 50_000) found.add(file, `has ${here.length} URLs; 50,000 is the limit`);
    if (Buffer.byteLength(text) > 50 * 1024 * 1024) found.add(file, 'is longer than 50 MiB');
    if (!isIndex) locations.push(...here);
  }
  if (new Set(locations).size !== locations.length) found.add('sitemap.xml', 'has a duplicate URL');
  for (const location of locations) {
    const url = new URL(location.replaceAll('&amp;', '&'));
    if (url.origin !== site.base) found.add(location, `is not on ${site.base}`);
    const answer = await fetch(site.url + url.pathname + url.search, { redirect: 'manual', headers: { Accept: 'text/html' } });
    const body = await answer.text();
    if (answer.status !== 200) found.add(location, `responds with ${answer.status}`);
    else if (!body.includes(`<link rel="canonical" href="${location}">`)) found.add(location, 'is not the canonical URL of its page');
    if (/\/(no-such-page|404)$/.test(url.pathname)) found.add(location, 'is the address of the error page');
  }
  return `xmllint --schema: ${count(files.length, 'sitemap')}, ${count(locations.length, 'URL')} that each answer 200`;
}
