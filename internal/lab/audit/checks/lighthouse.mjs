import lighthouse from 'lighthouse';
import { launch } from 'chrome-launcher';
import { chromium, flags, withProfile } from '../lib/browser.mjs';

// The maximum number of runs for a page. A score may be low only because the machine was busy.
const tries = 3;
const fastEnough = 99;

/**
 * Checks Lighthouse's performance score of the main pages, with its default settings: a slow phone on a slow network. The
 * score depends on this machine's processor, so a low score is meaningful only on an idle machine, and no test uses it.
 * scores.mjs checks everything that doesn't depend on the clock.
 */
export default async function audit(site, found) {
  const lines = [];
  await withLighthouse(async (look) => {
    for (const path of await mainPages(site)) {
      const { categories, audits } = await fastest(() => look(site.url + path, { onlyCategories: ['performance'] }));
      const points = pointsOf(categories.performance);
      if (points < fastEnough) found.add(path, `performance is ${points}, not ${fastEnough}\n${lost(categories.performance, audits)}`);
      lines.push(`${path} ${points}`);
    }
  });
  return `lighthouse, performance on a phone: ${lines.join(', ')}`;
}

/** Returns the paths of the home page, the pricing page, a documentation page, and an article, if the site has them. */
export async function mainPages(site) {
  return ['/', await site.pricing(), await site.documentation(), await site.article()].filter(Boolean);
}

async function fastest(look) {
  let best;
  for (let i = 0; i < tries; i++) {
    const result = await look();
    if (!best || result.categories.performance.score > best.categories.performance.score) best = result;
    if (pointsOf(best.categories.performance) >= fastEnough) break;
  }
  return best;
}

/** Returns a category's score, up to 100. */
export const pointsOf = (category) => Math.round(category.score * 100);

/** Returns the audits that reduced a category's score, one per line. */
export function lost({ auditRefs }, audits) {
  return auditRefs
    .map((ref) => ({ ...audits[ref.id], weight: ref.weight }))
    .filter((one) => one.weight > 0 && one.score !== null && one.score < 1)
    .map(described)
    .join('\n');
}

/** Returns an audit as one line: its ID, title, measurement, and up to five affected elements or files. */
export function described(one) {
  const places = (one.details?.items ?? []).map((item) => item.node?.snippet ?? item.url ?? item.source ?? '').filter(Boolean).slice(0, 5);
  return `${one.id}: ${one.title}${one.displayValue ? ` (${one.displayValue})` : ''} ${places.join(' · ')}`;
}

/** Calls use with a function that runs Lighthouse in a separate Chromium. */
export async function withLighthouse(use) {
  const chromePath = await chromium();
  return withProfile(async (userDataDir) => {
    const chrome = await launch({ chromePath, userDataDir, ignoreDefaultFlags: true, chromeFlags: flags });
    try {
      return await use(async (url, options) => {
        const { lhr } = await lighthouse(url, { port: chrome.port, logLevel: 'error', ...options });
        if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
        return lhr;
      });
    } finally {
      chrome.kill();
    }
  });
}
