/**
 * Follows the site's events. A hidden page closes its stream, because a browser has only six connections
 * for all pages of a site.
 */
export function follow({ told, lost }) {
  let source = null;
  const begin = () => {
    if (source) return;
    source = new EventSource(`/.vitrine/events?path=${encodeURIComponent(location.pathname)}`);
    for (const name of ['hello', 'reload', 'problems']) {
      source.addEventListener(name, (event) => told(JSON.parse(event.data)));
    }
    source.addEventListener('error', lost);
  };
  const end = () => {
    source?.close();
    source = null;
  };
  const look = () => (document.hidden ? end() : begin());
  document.addEventListener('visibilitychange', look);
  addEventListener('pagehide', end);
  addEventListener('pageshow', look);
  look();
}
