import { missing } from '../lib/site.mjs';
import { count } from '../lib/findings.mjs';

const socialWidth = 1200;
const socialHeight = 630;

/**
 * Checks the <head> of every page: one title, one description, and one canonical URL; Open Graph and Twitter metadata; an
 * existing social image, which is a PNG of 1200 × 630 unless the author chose it; and an existing twin. The canonical URL must
 * be unique, and the title and description unique in the page's language. This doesn't apply to old versions of documentation,
 * which have another page as canonical or are excluded from search engines.
 */
export default async function metadata(site, found) {
  const seen = new Map();
  const images = new Set();
  const paths = (await site.pages()).filter((path) => !path.endsWith(missing));
  for (const path of paths) {
    const answer = await fetch(site.url + path, { headers: { Accept: 'text/html' } });
    const head = (await answer.text()).split('</head>')[0];
    const lang = head.match(/<html lang="([^"]*)"/)[1];
    const one = (name, pattern) => {
      const all = [...head.matchAll(pattern)].map((m) => m[1]);
      if (all.length !== 1) found.add(path, `has ${all.length} of ${name}`);
      return all[0] ?? '';
    };
    const property = (name) => one(name, new RegExp(`<meta property="${name}" content="([^"]*)">`, 'g'));
    const meta = (name) => one(name, new RegExp(`<meta name="${name}" content="([^"]*)">`, 'g'));
    const texts = [
      ['title', one('title', /<title>([^<]*)<\/title>/g)],
      ['description', meta('description')],
      ['canonical', one('canonical', /<link rel="canonical" href="([^"]*)">/g)],
    ];
    const old = new URL(texts[2][1] || site.url).pathname !== path || answer.headers.get('x-robots-tag')?.includes('noindex');
    for (const [name, value] of old ? [] : texts) {
      const key = `${name} ${name === 'canonical' ? '' : lang} ${value}`;
      if (seen.has(key)) found.add(path, `has the ${name} of ${seen.get(key)}: ${value}`);
      seen.set(key, path);
    }
    for (const name of ['og:title', 'og:type', 'og:url', 'og:site_name']) property(name);
    meta('twitter:card');
    await twin(site, path, one('twin', /<link rel="alternate" type="text\/markdown" href="([^"]*)">/g), found);
    const image = property('og:image');
    if (image && !images.has(image)) await socialImage(site, path, image, found);
    images.add(image);
  }
  return `head: ${count(paths.length, 'page')}, ${count(images.size, 'social image')}`;
}

async function twin(site, path, href, found) {
  const answer = await fetch(new URL(href, site.url + path));
  if (answer.status !== 200 || !answer.headers.get('content-type').startsWith('text/markdown')) {
    found.add(path, `names the twin ${href}, which responds with ${answer.status} ${answer.headers.get('content-type')}`);
  }
}

async function socialImage(site, path, image, found) {
  if (!image.startsWith(`${site.base}/`)) {
    found.add(path, `the social image ${image} is not on ${site.base}`);
    return;
  }
  const answer = await fetch(site.url + image.slice(site.base.length));
  const bytes = Buffer.from(await answer.arrayBuffer());
  const type = answer.headers.get('content-type');
  if (answer.status !== 200 || !/^image\/(png|jpeg|webp)$/.test(type)) {
    found.add(path, `the social image ${image} responds with ${answer.status} ${type}`);
    return;
  }
  if (!image.startsWith(`${site.base}/assets/social/`)) return;
  if (type !== 'image/png') found.add(path, `the social image ${image} is ${type}`);
  // A PNG contains its width and height, four bytes each, at offset 16.
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width !== socialWidth || height !== socialHeight) found.add(path, `the social image ${image} is ${width} × ${height}`);
}
