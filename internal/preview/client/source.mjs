import { element } from './dom.mjs';

let editor = { link: '' };
let token = '';
let complain = () => {};

/** Sets the editor that opens sources, and the handler for failures. */
export function useEditor(view, onFailure) {
  editor = view.editor;
  token = view.token;
  complain = onFailure;
}

/** Returns the location as text, such as "content/pricing.md:3:14". */
export function placeName({ path, line, column }) {
  return line ? `${path}:${line}:${column}` : path;
}

/**
 * Returns an element that opens a source at a location: a button if the server starts the editor, otherwise a link for
 * VS Code.
 */
export function sourceLink(place, properties, ...children) {
  if (editor.name) {
    return element('button', {
      type: 'button', title: `Open in ${editor.name}`, ...properties, onclick: () => openSource(place),
    }, ...children);
  }
  const path = place.path.split('/').map(encodeURIComponent).join('/');
  return element('a', {
    href: `${editor.link}${path}:${place.line || 1}:${place.column || 1}`, title: 'Open in VS Code', ...properties,
  }, ...children);
}

async function openSource({ path, line, column }) {
  try {
    const answer = await fetch('/.vitrine/open', {
      method: 'POST',
      headers: { 'X-Vitrine-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ path, line, column }),
    });
    if (!answer.ok) complain((await answer.text()).trim());
  } catch {
    complain('The preview does not respond.');
  }
}
