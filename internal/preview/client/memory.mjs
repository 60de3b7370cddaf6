// Values kept across a reload. In a browser without storage, because its user disabled it, they are
// lost.
const prefix = 'vitrine-preview-';

export function remember(name, value) {
  try {
    sessionStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // There is no storage.
  }
}

export function recall(name) {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + name));
  } catch {
    return null;
  }
}
