import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Findings, count } from '../lib/findings.mjs';
import { serveFolder } from '../lib/static.mjs';

// The damage to a copy of the site: a file, the original text, and its replacement.
const damage = [
  ['index.html', '<main ', '<center>old</center><img src="/none.png"><img src="http://127.0.0.1:9/far.png" alt="far"><p lang="en" class="wide">wide</p>\n<main '],
  ['index.html', '</head>', '<style>.wide { width: 5000px; color: #fff; background: #eee }</style>\n</head>'],
  ['index.html', '"@type":"Offer"', '"@type":"Offfer"'],
  ['index.html', '"@type":"SoftwareApplication"', '"@type":"SoftwareApplication","colour":"green"'],
  ['index.html', /<meta property="og:image"[^>]*>\n/, ''],
  ['blog.md', /^# (.*)\n/, '#$1\n'],
  ['sitemap.xml', '<loc>', '<place>far</place><loc>'],
  ['sitemap.xml', '</url>', '<link rel="alternate" hreflang="de" href="/far"/></url>'],
  ['feed.xml', /<updated>[^<]*<\/updated>/, '<updated>yesterday</updated>'],
  ['feed.json', '"items": [', '"items": [{"url": "far"},'],
  ['openapi.json', '"application/problem+json"', '"application/json"'],
];

// The findings that each audit must report.
const expected = {
  html: [/center/, /alt/],
  twins: [/MD018|MD041/],
  sitemap: [/place/],
  feeds: [/yesterday|updated/, /feed\.json \/items\/0/],
  metadata: [/0 of og:image/],
  jsonld: [/no type Offfer/, /no property colour/],
  languages: [/the sitemap de \/far/],
  openapi: [/operation-4xx-problem-details-rfc7807/],
  pages: [/image-alt/, /color-contrast/, /another host/, /none\.png/, /sideways/],
};

/** Tests the audits themselves: each must find the damage in a copy of the site. */
export default async function control(site, found) {
  const copy = join(await site.copy('control'), 'public');
  for (const [file, from, to] of damage) {
    const text = await readFile(join(copy, file), 'utf8');
    const damaged = text.replace(from, to);
    if (damaged === text) found.add(file, `has no ${from} to damage`);
    await writeFile(join(copy, file), damaged);
  }
  const server = await serveFolder(copy);
  try {
    const other = site.at(copy, server.url, [...new Set(damage.map(([file]) => file))]);
    for (const [name, patterns] of Object.entries(expected)) {
      const { default: audit } = await import(`./${name}.mjs`);
      const seen = new Findings();
      await audit(other, seen);
      const text = seen.lines().join('\n');
      for (const pattern of patterns) if (!pattern.test(text)) found.add(name, `does not find ${pattern}; it finds\n${text}`);
    }
  } finally {
    await server.stop();
  }
  return `${count(Object.keys(expected).length, 'audit')} find ${count(Object.values(expected).flat().length, 'fault')} in a damaged copy`;
}
