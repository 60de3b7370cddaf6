import lighthouse from 'lighthouse';
import { launch } from 'chrome-launcher';
import { chromium, flags, withProfile } from '../lib/browser.mjs';

// What each category must reach, of 100.
const floors = { performance: 99, accessibility: 100, 'best-practices': 100, seo: 100 };
const tries = 3;

/**
 * Lighthouse on the home page, pricing, a page of documentation and an article, with its own default
 * settings: a slow phone on a slow network. In the dark only accessibility can
 * differ. A time may be bad because the machine was busy, so a page whose
 * performance is too low is looked at again, three times at most.
 */
export default async function audit(site, found) {
  const paths = ['/', await site.pricing(), await site.documentation(), await site.article()].filter(Boolean);
  const lines = [];
  for (const scheme of ['light', 'dark']) {
    await withChromium(scheme, async (port) => {
      for (const path of paths) {
        const categories = scheme === 'light' ? Object.keys(floors) : ['accessibility'];
        const result = await look(site.url + path, port, categories);
        const scores = judge(result, categories, `${path} (${scheme})`, found);
        lines.push(`${path} ${scheme} ${scores.join('/')}`);
      }
    });
  }
  return `lighthouse (mobile; ${Object.keys(floors).join('/')}): ${lines.join(', ')}`;
}

/** Runs Lighthouse, again where performance is too low. */
async function look(url, port, onlyCategories) {
  let result;
  for (let i = 0; i < tries; i++) {
    const { lhr } = await lighthouse(url, { port, onlyCategories, logLevel: 'error' });
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    result = lhr;
    if (!onlyCategories.includes('performance') || lhr.categories.performance.score * 100 >= floors.performance) break;
  }
  return result;
}

/** Adds what is below its floor, with the audits that took the points. */
function judge(result, categories, place, found) {
  return categories.map((id) => {
    const { score, auditRefs } = result.categories[id];
    const points = Math.round(score * 100);
    if (points < floors[id]) {
      const failed = auditRefs
        .map((ref) => ({ ...result.audits[ref.id], weight: ref.weight }))
        .filter((one) => one.weight > 0 && one.score !== null && one.score < 1)
        .map((one) => `${one.id}: ${one.title}${one.displayValue ? ` (${one.displayValue})` : ''} ${nodes(one)}`);
      found.add(place, `${id} is ${points}, not ${floors[id]}\n${failed.join('\n')}`);
    }
    return points;
  });
}

function nodes(one) {
  return (one.details?.items ?? []).map((item) => item.node?.snippet ?? item.url ?? item.source ?? '').filter(Boolean).slice(0, 5).join(' · ');
}

/** Lends a Chromium that prefers a colour scheme, by its debugging port. */
async function withChromium(scheme, use) {
  const chromePath = await chromium();
  return withProfile(async (userDataDir) => {
    const chrome = await launch({
      chromePath,
      userDataDir,
      ignoreDefaultFlags: true,
      chromeFlags: [...flags, `--blink-settings=preferredColorScheme=${scheme === 'dark' ? 0 : 1}`],
    });
    try {
      return await use(chrome.port);
    } finally {
      chrome.kill();
    }
  });
}
