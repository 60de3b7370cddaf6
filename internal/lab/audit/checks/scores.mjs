import { described, lost, mainPages, pointsOf, withLighthouse } from './lighthouse.mjs';

const categories = ['accessibility', 'best-practices', 'seo'];

// Lighthouse's audits for causes of slow pages that don't depend on the machine's speed, such as oversized files and requests
// to other hosts. shift.mjs checks for layout shifts.
const causes = [
  'dom-size-insight', 'duplicated-javascript-insight', 'font-display-insight', 'image-delivery-insight',
  'legacy-javascript-insight', 'non-composited-animations', 'third-parties-insight', 'total-byte-weight', 'unminified-css',
  'unminified-javascript', 'unsized-images', 'viewport-insight',
];

/**
 * Checks Lighthouse's results for the main pages and the search, except for speed: 100 in each category, and no cause of
 * slowness.
 */
export default async function audit(site, found) {
  const lines = [];
  await withLighthouse(async (look) => {
    for (const path of [...(await mainPages(site)), '/search']) {
      const result = await look(site.url + path, { onlyCategories: categories, onlyAudits: causes, disableFullPageScreenshot: true });
      for (const id of categories.filter((id) => asked(path, id))) {
        const points = pointsOf(result.categories[id]);
        if (points < 100) found.add(path, `${id} is ${points}, not 100\n${lost(result.categories[id], result.audits)}`);
      }
      for (const id of causes) {
        const { score } = result.audits[id];
        if (score !== null && score < 1) found.add(path, described(result.audits[id]));
      }
      lines.push(`${path} ${categories.map((id) => pointsOf(result.categories[id])).join('/')}`);
    }
  });
  return `lighthouse (${categories.join('/')}), ${causes.length} causes of slowness: ${lines.join(', ')}`;
}

/** Reports whether a page needs 100 points in a category. The search page is excluded from search engines, so its SEO score is lower. */
const asked = (path, id) => path !== '/search' || id !== 'seo';
