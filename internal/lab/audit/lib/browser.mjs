import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { access, constants } from 'node:fs/promises';

/** Flags for Chromium: no window, and no requests except the page's. */
export const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the path of Debian's Chromium, or the value of CHROMIUM if it is set. */
export async function chromium() {
  const path = process.env.CHROMIUM ?? '/usr/bin/chromium';
  try {
    await access(path, constants.X_OK);
  } catch {
    throw new Error(`there is no Chromium at ${path}; install the Debian package chromium, or set CHROMIUM`);
  }
  return path;
}

/** Calls use with a temporary folder for a browser profile. */
export async function withProfile(use) {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-chromium-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

export const schemes = ['light', 'dark'];
export const widths = [360, 768, 1024, 1440, 1920];

/** Calls use with a Chromium browser context. options are passed to Playwright's launchPersistentContext. */
export async function withBrowser(use, options = {}) {
  const { chromium: playwright } = await import('playwright-core');
  const executablePath = await chromium();
  return withProfile(async (profile) => {
    const context = await playwright.launchPersistentContext(profile, {
      executablePath,
      headless: true,
      args: flags,
      chromiumSandbox: false,
      reducedMotion: 'reduce',
      ...options,
    });
    try {
      return await use(context);
    } finally {
      await context.close();
    }
  });
}
