// A site in a temporary folder, the real `vitrine preview` of it, and a real Chromium. VITRINE is the
// path of the program. All functions wait for visible results, never for a fixed time.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { withBrowser } from '../lib/browser.mjs';

/** The timeout in milliseconds of every condition. It is generous, because the tests don't measure speed. */
const patience = 120_000;

/** The facts and settings of a site, and a few pages. */
export const basics = {
  'content/product.yaml': `name: Acorn
url: https://acorn.example
description: Acorn plans the work of small nurseries.
audience: [Nurseries]
capabilities: [Plans the week]
pricing:
  currency: EUR
  billingPeriod: month
  creditDefinition: One credit is one planned week.
  unlimitedReps: true
  unlimitedTeams: true
  plans:
    - {name: Seed, monthlyPrice: 9, includedCredits: 4}
  url: https://acorn.example/week
contact: hello@acorn.example
links: {signup: "https://app.acorn.example/signup"}
`,
  'content/site.yaml': 'baseURL: https://acorn.example\ntitle: Acorn\n',
  'content/index.md': page('Home', 'The [week](week.md) begins here.'),
  'content/week.md': page('The week', 'On Mondays, before the doors open.'),
};

/** A page's source. */
export function page(title, text, front = '') {
  return `---\ntitle: ${title}\ndescription: A page about ${title.toLowerCase()} in a nursery, for those who ask.\n${front}---\n\n${text}\n`;
}

/** A site that tests write to while it is previewed. */
class Site {
  constructor(folder) {
    this.folder = folder;
  }

  path(name) {
    return join(this.folder, name);
  }

  async write(name, text) {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), text);
  }

  /** Writes as careful editors do: to a temporary file, then over the original. */
  async writeByRename(name, text) {
    await writeFile(this.path(`${name}.tmp`), text);
    await rename(this.path(`${name}.tmp`), this.path(name));
  }

  read(name) {
    return readFile(this.path(name), 'utf8');
  }

  rename(from, to) {
    return rename(this.path(from), this.path(to));
  }

  remove(name) {
    return rm(this.path(name), { recursive: true });
  }
}

/**
 * Provides a preview of a site with the basics and additional files. The preview has url, site, the
 * output so far, temp (the parent of the preview's folder), and stop(signal).
 */
export async function withPreview(use, { files = {}, flags = [], env = {} } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-proof-'));
  const site = new Site(join(folder, 'site'));
  const temp = join(folder, 'temp');
  await mkdir(temp);
  for (const [name, text] of Object.entries({ ...basics, ...files })) if (text !== null) await site.write(name, text);
  const child = spawn(process.env.VITRINE, ['preview', '--root', site.folder, '--addr', '127.0.0.1:0', ...flags], {
    env: { ...process.env, VISUAL: '', EDITOR: '', ...env, TMPDIR: temp }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const preview = { site, temp, output: '', url: '', stopped: false };
  preview.stop = async (signal = 'SIGTERM') => {
    preview.stopped = true;
    if (child.exitCode === null) child.kill(signal);
    const [code] = await ended;
    return code;
  };
  try {
    preview.url = await new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          preview.output += text;
          const found = /previewing (http:\S+)\//.exec(preview.output);
          if (found) resolve(found[1]);
        });
      }
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`vitrine preview exited with ${code}:\n${preview.output}`)));
    });
    return await use(preview);
  } catch (error) {
    error.message += `\n--- output of vitrine preview\n${preview.output}`;
    throw error;
  } finally {
    await preview.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Provides a Chromium page that shows a path of a preview. The page's errors, such as a script that
 * its policy forbids, fail the test; responses with these statuses are expected.
 */
export function withPage(path, use, { preview = {}, browser = {}, expected = [] } = {}) {
  return withPreview((running) => withBrowser(async (context) => {
    context.setDefaultTimeout(patience);
    const tab = await context.newPage();
    const complaints = [];
    tab.on('pageerror', (error) => complaints.push(String(error)));
    tab.on('console', (message) => {
      const status = /status of (\d+)/.exec(message.text())?.[1];
      const icon = message.location().url.endsWith('/favicon.ico'); // browsers request it if a page has no icon
      // If the test has stopped the preview, the page retries until it is back.
      const gone = running.stopped && message.text().includes('ERR_CONNECTION_REFUSED');
      if (message.type() === 'error' && !icon && !gone && !expected.includes(Number(status))) complaints.push(message.text());
    });
    await tab.goto(running.url + path);
    await use({ ...running, tab, context });
    assert.deepEqual(complaints, [], 'the page has errors');
  }, browser), preview);
}

/** Waits until the page shows a string. */
export function shows(tab, text) {
  return tab.getByText(text).first().waitFor();
}

/** The overlay, which exists only while it is open. */
export const overlay = (tab) => tab.locator('dialog[open]');

/**
 * Waits until the overlay shows exactly this number of problems, and returns them: place, text, the
 * marked line, and the character.
 */
export async function problems(tab, count) {
  await tab.waitForFunction((want) => {
    const dialog = document.querySelector('#vitrine-preview')?.shadowRoot?.querySelector('dialog[open]');
    return dialog?.querySelectorAll('.problem').length === want;
  }, count);
  return overlay(tab).locator('.problem').evaluateAll((items) => items.map((item) => ({
    place: item.querySelector('.place .mono')?.textContent ?? '',
    text: item.querySelector('.text').textContent,
    line: item.querySelector('.pointed code')?.textContent ?? '',
    at: item.querySelector('.at')?.textContent ?? '',
    caret: item.querySelector('.at') ? getComputedStyle(item.querySelector('.at'), '::after').content : '',
  })));
}

/** Waits until there is no overlay. */
export function fixed(tab) {
  return overlay(tab).waitFor({ state: 'detached' });
}

/** A program called code, like VS Code's, that records its arguments. */
export async function fakeEditor(folder) {
  const program = join(folder, 'code');
  const log = join(folder, 'opened.log');
  await writeFile(program, `#!/bin/sh\necho "$@" >>'${log}'\n`);
  await chmod(program, 0o755);
  return { program, log };
}

/** Polls until a condition is true. */
export async function until(what, condition) {
  const deadline = Date.now() + patience;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`timed out: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
