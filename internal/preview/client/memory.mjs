// Stores values across reloads. If the user disabled the browser's storage, the values are lost.
const prefix = 'vitrine-preview-';

export function remember(name, value) {
  try {
    sessionStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // The user disabled storage.
  }
}

export function recall(name) {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + name));
  } catch {
    return null;
  }
}
