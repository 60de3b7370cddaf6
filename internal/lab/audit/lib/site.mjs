import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { mustExec, start } from './process.mjs';

/** A path without a page. With a language's prefix, the site responds with the 404 page in that language. */
export const missing = '/no-such-page';

/**
 * Builds a site into a temporary folder, and serves it with vitrined while use runs. The server has no request
 * allowance, so audits may send any number of requests. Servers started by serve() have an allowance, unless their
 * flags disable it.
 */
export async function withSite({ root, source = '.', keep }, use) {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-audit-'));
  let running = [];
  try {
    if (source.endsWith('.txtar')) source = await unpack(resolve(root, source), join(folder, 'site'));
    const site = new Site(root, resolve(root, source), folder);
    running = site.running;
    await site.build();
    const server = await site.serve('-allowance', '0');
    site.url = server.url;
    return await use(site);
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    if (keep) console.log(`      kept ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}

/** Unpacks a txtar archive that contains a site for Go's tests into a folder, and returns the folder. */
async function unpack(archive, folder) {
  const [, ...parts] = (await readFile(archive, 'utf8')).split(/^-- (.+) --\n/m);
  for (let i = 0; i < parts.length; i += 2) {
    const name = join(folder, parts[i]);
    await mkdir(dirname(name), { recursive: true });
    await writeFile(name, parts[i + 1]);
  }
  return folder;
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
    // The canonical link of the home page contains the site's host. If there is no such link, the sitemap contains it.
    this.base = new URL((await this.text('index.html')).match(/<link rel="canonical" href="([^"]+)"/)?.[1] ?? sitemap.match(/<loc>([^<]+)/)[1]).origin;
  }

  /** Starts another server for the site's build. flags are additional flags of vitrined. */
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
    // Browsers treat localhost as secure, like the site's https address.
    const server = { url: `http://localhost:${value.split(':').at(-1)}`, stop };
    this.running.push(server);
    return server;
  }

  /**
   * Returns this site with its public files in another folder and at another address. files() returns only the names in
   * some, and pages() returns only the home page.
   */
  at(folder, url, some) {
    const files = async (ending) => some.filter((name) => name.endsWith(ending));
    return Object.assign(Object.create(this), { public: folder, url, files, pages: async () => ['/'] });
  }

  /** Copies the build, for audits that damage it. */
  async copy(name) {
    const dir = join(this.folder, name);
    await rm(dir, { recursive: true, force: true });
    await cp(this.out, dir, { recursive: true });
    return dir;
  }

  /** Returns the sorted paths, relative to the public folder, of the built files with an ending. */
  async files(ending) {
    const entries = await readdir(this.public, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => relative(this.public, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort();
  }

  /** Returns the URL paths of all HTML pages, including error pages. */
  async pages() {
    return (await this.files('.html')).map((file) => {
      if (/(^|\/)404\.html$/.test(file)) return `/${file}`.replace('/404.html', missing);
      return `/${file}`.replace(/(\/index)?\.html$/, '') || '/';
    });
  }

  /** Returns the hreflang addresses in a <head>, a sitemap entry, or other XML, as paths of the site by language tag. */
  hreflang(text) {
    const named = new Map();
    for (const [tag] of text.matchAll(/<(xhtml:)?link\b[^>]*\bhreflang="[^>]*>/g)) {
      named.set(tag.match(/hreflang="([^"]*)"/)[1], this.path(tag.match(/href="([^"]*)"/)[1]));
    }
    return named;
  }

  /** Returns the path of an address on the site's host. It returns other addresses unchanged. */
  path(address) {
    const url = new URL(address.replaceAll('&amp;', '&'), this.base);
    return url.origin === this.base ? url.pathname : url.href;
  }

  /** Returns the tags of the additional languages, which the home page lists. */
  async languages() {
    const home = this.hreflang((await this.text('index.html')).split('</head>')[0]);
    return [...home].filter(([tag, path]) => tag !== 'x-default' && path !== home.get('x-default')).map(([tag]) => tag);
  }

  /** Returns the path of the pricing page. The facts of every site contain its address. */
  async pricing() {
    return new URL(JSON.parse(await this.text('api/v1/marketing.json')).pricing.url).pathname;
  }

  /** Returns the path of the first documentation page with sections, or undefined if there is none. */
  async documentation() {
    for (const path of await this.pages()) {
      if (path.endsWith(missing)) continue;
      const html = await this.text(path === '/' ? 'index.html' : `${path.slice(1)}.html`);
      if (html.includes('class="tree"') && /<h2 id=/.test(html)) return path;
    }
    return undefined;
  }

  /** Returns the path of the first article under /blog, or undefined if there is none. */
  async article() {
    for (const file of await this.files('.html')) {
      if (/^blog\/[^/]+\.html$/.test(file) && (await this.text(file)).includes('"og:type" content="article"')) {
        return `/${file.replace(/\.html$/, '')}`;
      }
    }
    return undefined;
  }

  text(file) {
    return readFile(join(this.public, file), 'utf8');
  }
}
