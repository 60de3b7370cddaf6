import { recall, remember } from './memory.mjs';

/** Stores the scroll position for restoreScroll, which runs after the reload. */
export function keepScroll() {
  remember('scroll', { path: location.pathname, left: scrollX, top: scrollY });
}

/** Restores the scroll position from before the reload. */
export function restoreScroll() {
  const kept = recall('scroll');
  remember('scroll', null);
  if (kept?.path !== location.pathname) return;
  const restore = () => scrollTo({ left: kept.left, top: kept.top, behavior: 'instant' });
  restore();
  const reached = scrollY;
  // Content that loaded in the meantime may have made the page longer, so restore the position again,
  // unless the user has scrolled.
  addEventListener('load', () => {
    if (scrollY === reached) restore();
  }, { once: true });
}
