/**
 * Creates an element. Properties become attributes, and properties that start with "on" become listeners. null and false are
 * omitted.
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Returns a number with its noun, such as "1 word" or "2 words". */
export function counted(number, what) {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
}
