import { withBrowser } from '../lib/browser.mjs';

/** The height of the header, in pixels. */
const header = 56;

/** The maximum distance from the top to a documentation page's title on a phone, in pixels. */
const highest = 200;

/** The addresses of API operations. */
const operation = /\/reference\/[^/]+\/[^/]+$/;

/** The ranges of aspect ratios in which pictures aren't cropped, in rows and in heroes. Heroes have less space. */
const whole = { row: [4 / 3, 34 / 13], hero: [16 / 9, 16 / 9] };

/**
 * Checks the layout of the main pages on a phone, a tablet, and a desktop: the header is one row of 56 px; the title of a
 * documentation page is near the top, and the row of buttons above it has the same edge; pictures of heroes and rows aren't
 * cropped; no row of a list has a single article; the link below articles and the list below topics have space above them; a
 * comparison shows its plans; buttons are as high as their labels need; the statuses of an API stay on one line; and no page is
 * wider than the window.
 */
export default async function layout(site, found) {
  const all = await site.pages();
  const documentation = await site.documentation();
  const paths = [...new Set(['/', await site.pricing(), documentation, await site.article(), all.find((path) => operation.test(path)), '/docs', '/blog', '/search'])].filter((path) => all.includes(path));
  await withBrowser(async (context) => {
    const page = await context.newPage();
    for (const width of [390, 820, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      for (const path of paths) {
        const where = `${path} at ${width}`;
        await page.goto(site.url + path, { waitUntil: 'load' });
        const seen = await page.evaluate(look);
        if (seen.header && seen.header !== header) found.add(where, `the header is ${seen.header} px high`);
        if (seen.over > 0) found.add(where, `the page is ${seen.over} px wider than the window`);
        if (path === documentation && width === 390 && seen.title >= highest) found.add(where, `the title begins at ${seen.title} px`);
        for (const { src, place, natural, shown } of seen.pictures) {
          const [least, most] = whole[place];
          if (natural >= least - 0.01 && natural <= most + 0.01 && Math.abs(natural / shown - 1) > 0.02) found.add(where, `${src} with the ratio ${natural.toFixed(2)} is cut to ${shown.toFixed(2)}`);
        }
        for (const row of seen.alone) found.add(where, `the article ${row} is alone in its row`);
        if (seen.indent > 1) found.add(where, `the row above the title is indented by ${seen.indent} px`);
        if (seen.gap < 16) found.add(where, `the link below the articles is only ${seen.gap} px away from them`);
        for (const button of seen.stretched) found.add(where, `the button ${button} is higher than its label needs`);
        if (seen.chips < 16) found.add(where, `the list begins only ${seen.chips} px below its topics`);
        if (seen.breaking) found.add(where, `the status ${seen.breaking} may break into two lines`);
        if (seen.plans === 0) found.add(where, 'the comparison does not show the names of its plans');
      }
    }
  });
  return `${paths.length} pages at three widths: one row of ${header} px, pictures whole, rows full`;
}

/** Returns the measurements of a page. It runs in the page. */
async function look() {
  const pictures = [];
  for (const image of document.querySelectorAll('.hero-media img, .row-media img')) {
    image.loading = 'eager';
    await image.decode().catch(() => {});
    const box = image.getBoundingClientRect();
    if (box.width && image.naturalWidth) pictures.push({ src: image.getAttribute('src'), place: image.closest('.row-media') ? 'row' : 'hero', natural: image.naturalWidth / image.naturalHeight, shown: box.width / box.height });
  }
  const alone = [];
  for (const list of document.querySelectorAll('.grid.posts')) {
    const articles = [...list.children].map((article) => ({ name: article.innerText.slice(0, 40), top: Math.round(article.getBoundingClientRect().top) }));
    const rows = Map.groupBy(articles, ({ top }) => top);
    if (rows.size < articles.length) alone.push(...[...rows.values()].filter((row) => row.length === 1).map(([{ name }]) => name));
  }
  const label = (button) => {
    const text = document.createRange();
    text.selectNodeContents(button);
    return text.getBoundingClientRect().height;
  };
  const topics = document.querySelector('.topics'), list = document.querySelector('.entries, .post');
  const names = [...document.querySelectorAll('.compare thead th')];
  const more = document.querySelector('.posts + p, .post.first + p');
  const root = document.documentElement;
  const title = document.querySelector('h1').getBoundingClientRect();
  const tools = document.querySelector('.page-tools')?.getBoundingClientRect();
  return {
    header: document.querySelector('.bar')?.offsetHeight,
    over: root.scrollWidth - root.clientWidth,
    gap: more ? more.getBoundingClientRect().top - more.previousElementSibling.getBoundingClientRect().bottom : undefined,
    indent: tools && tools.bottom <= title.top && !document.querySelector('.page-top nav') ? tools.left - title.left : 0,
    title: Math.round(title.top),
    plans: names.length ? names.filter((name) => name.checkVisibility() && name.offsetHeight).length : undefined,
    stretched: [...document.querySelectorAll('.actions .button')].filter((button) => button.offsetHeight > label(button) + 40).map((button) => button.innerText),
    chips: topics && list ? list.getBoundingClientRect().top - topics.getBoundingClientRect().bottom : undefined,
    breaking: [...document.querySelectorAll('.fold[id^="status-"] summary > code')].find((code) => getComputedStyle(code).flexShrink !== '0')?.innerText,
    pictures,
    alone,
  };
}
