// The preview's additions to a page: a toolbar under it, a banner on unpublished pages, an overlay
// with the problems that prevent a build, and the reload after changes. Builds don't contain them.
import { Bar } from './bar.mjs';
import { Banner } from './banner.mjs';
import { Overlay } from './overlay.mjs';
import { Twin } from './twin.mjs';
import { follow } from './events.mjs';
import { Links } from './links.mjs';
import { place } from './host.mjs';
import { keepScroll, restoreScroll } from './scroll.mjs';

const data = document.getElementById('vitrine-preview');
const loaded = JSON.parse(data.textContent);
data.remove();

restoreScroll();
const host = place();
const twin = new Twin(host, loaded.page);
const bar = new Bar(host, twin);
const banner = new Banner();
const overlay = new Overlay(host);
const links = new Links();

/** Shows the state that the server sent. */
function show(view) {
  bar.show(view);
  banner.show(view.page);
  overlay.show(view);
  links.show(view);
}

/** The time in milliseconds that a navigation may take. A reload during that time would cancel it. */
const patience = 5000;
let left = -patience;
addEventListener('beforeunload', () => { left = performance.now(); });

/** Shows the state that the server sent, or reloads the page for a newer build, unless the reader is leaving the page. */
function update(view) {
  if (view.build === loaded.build) {
    show(view);
    return;
  }
  const wait = left + patience - performance.now();
  if (wait > 0) {
    setTimeout(update, wait, view);
    return;
  }
  if (view.page.moved && !loaded.page.missing) {
    location.replace(view.page.moved + location.hash);
    return;
  }
  keepScroll();
  location.reload();
}

show(loaded);
follow({ told: update, lost: () => bar.lost() });
