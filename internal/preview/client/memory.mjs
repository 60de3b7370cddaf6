// What is remembered over a reload. A browser that keeps nothing for the page,
// because its user forbade that, only forgets.
const prefix = 'vitrine-preview-';

export function remember(name, value) {
  try {
    sessionStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // Nothing is kept.
  }
}

export function recall(name) {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + name));
  } catch {
    return null;
  }
}
