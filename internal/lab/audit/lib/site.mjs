import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { mustExec, start } from './process.mjs';

/** The path that certainly nothing is published at. */
export const missing = '/no-such-page';

/**
 * Builds the site of a root into a folder of its own and serves it with
 * vitrined, for as long as use runs. The server has no allowance, so that
 * audits may ask as often as they want; serveWithAllowance starts one that has.
 */
export async function withSite({ root, source = '.', keep }, use) {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-audit-'));
  const site = new Site(root, resolve(root, source), folder);
  try {
    await site.build();
    const server = await site.serve('-allowance', '0');
    site.url = server.url;
    return await use(site);
  } finally {
    await Promise.all(site.running.map((server) => server.stop()));
    if (keep) console.log(`      kept ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}

class Site {
  running = [];

  constructor(root, source, folder) {
    this.root = resolve(root);
    this.source = source;
    this.folder = folder;
    this.out = join(folder, 'build');
    this.public = join(this.out, 'public');
    this.vitrine = join(folder, 'bin', 'vitrine');
    this.vitrined = join(folder, 'bin', 'vitrined');
  }

  async build() {
    await mustExec('go', ['build', '-o', join(this.folder, 'bin') + sep, './cmd/vitrine', './cmd/vitrined'], { cwd: this.root });
    await mustExec(this.vitrine, ['build', '--root', this.source, '--out', this.out], { cwd: this.root });
    const sitemap = await this.text('sitemap.xml');
    // A page's canonical link says what the site's own host is.
    this.base = new URL((await this.text('index.html')).match(/<link rel="canonical" href="([^"]+)"/)?.[1] ?? sitemap.match(/<loc>([^<]+)/)[1]).origin;
  }

  /** Serves a build, the site's own where dir is not given. */
  async serve(...flags) {
    return this.serveFolder(this.out, ...flags);
  }

  async serveFolder(dir, ...flags) {
    const { value, stop } = await start(this.vitrined, ['-dir', dir, '-addr', '127.0.0.1:0', ...flags], (line) => {
      try {
        const entry = JSON.parse(line);
        return entry.msg === 'serving' && entry.address;
      } catch {
        return undefined;
      }
    });
    // Browsers treat localhost as secure, as they will the site's own https.
    const server = { url: `http://localhost:${value.split(':').at(-1)}`, stop };
    this.running.push(server);
    return server;
  }

  /** The site with other public files at another address; only its home page is opened in a browser. */
  at(folder, url) {
    const other = Object.create(this);
    return Object.assign(other, { public: folder, url, pages: async () => ['/'] });
  }

  /** A copy of the build that may be damaged. */
  async copy(name) {
    const dir = join(this.folder, name);
    await rm(dir, { recursive: true, force: true });
    await cp(this.out, dir, { recursive: true });
    return dir;
  }

  /** The built files whose names end so, relative to the public folder, sorted. */
  async files(ending) {
    const entries = await readdir(this.public, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => relative(this.public, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort();
  }

  /** The paths of all HTML pages; the page for what is missing stands at such a path. */
  async pages() {
    return (await this.files('.html')).map((file) => {
      if (file === '404.html') return missing;
      return `/${file}`.replace(/(\/index)?\.html$/, '') || '/';
    });
  }

  /** The path of the page with the prices, which every site names. */
  async pricing() {
    return new URL(JSON.parse(await this.text('api/v1/marketing.json')).pricing.url).pathname;
  }

  /** The path of the documentation's first page that is no list; undefined where there is none. */
  async documentation() {
    for (const path of await this.pages()) {
      if (path === missing) continue;
      const html = await this.text(path === '/' ? 'index.html' : `${path.slice(1)}.html`);
      if (html.includes('class="tree"') && /<h2 id=/.test(html)) return path;
    }
    return undefined;
  }

  /** The path of an article: the first page below /blog that has a date; undefined where there is none. */
  async article() {
    for (const file of await this.files('.html')) {
      if (/^blog\/[^/]+\.html$/.test(file) && (await this.text(file)).includes('"og:type" content="article"')) {
        return `/${file.replace(/\.html$/, '')}`;
      }
    }
    // The sample has one, which the audits of the search and of the frame open.
    return undefined;
  }

  text(file) {
    return readFile(join(this.public, file), 'utf8');
  }
}
