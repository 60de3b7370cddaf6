import { recall, remember } from './memory.mjs';

/** Notes how far the page is scrolled, for the moment after a reload. */
export function keepScroll() {
  remember('scroll', { path: location.pathname, left: scrollX, top: scrollY });
}

/** Scrolls to where the page was before it was reloaded. */
export function restoreScroll() {
  const kept = recall('scroll');
  remember('scroll', null);
  if (kept?.path !== location.pathname) return;
  const restore = () => scrollTo({ left: kept.left, top: kept.top, behavior: 'instant' });
  restore();
  const reached = scrollY;
  // Content loaded in the meantime may have made the page longer. If the user has scrolled since
  // then, keep the position.
  addEventListener('load', () => {
    if (scrollY === reached) restore();
  }, { once: true });
}
