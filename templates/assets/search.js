// Search as you type: every <form class="search" data-index="…"> on a page searches an index that was
// built with the site. It sends no data. Without this script, the form opens the page that lists everything.

export const element = (name, className, ...children) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
};

export const texts = (parts) => parts.map(([text, hit]) => hit ? element("mark", "", text) : text);

const link = (path, parts) => {
  const made = element("a", "", ...texts(parts));
  made.href = path;
  return made;
};

const resultItem = ({ path, title, version, sections }) => {
  const item = element("li", "search-result", element("p", "search-title", link(path, title)));
  if (version) item.firstChild.append(" ", element("bdi", "badge", version));
  for (const section of sections) {
    if (section.heading.length > 0 && section.path !== path) item.append(element("p", "search-section", link(section.path, section.heading)));
    if (section.snippet.length > 0) item.append(element("p", "search-text", ...texts(section.snippet)));
  }
  return item;
};

export const counted = (forms, count) => {
  // Arabic with Latin digits, like the site.
  const language = (document.documentElement.lang || "en").replace(/^ar\b.*/, "$&-u-nu-latn");
  const text = forms[new Intl.PluralRules(language).select(count)] ?? forms.other ?? forms.many;
  return text.replace("{count}", count.toLocaleString(language));
};

/** Returns a function that opens a form's index, and fetches it on first use. */
export const opener = (form) => {
  let opened = null;
  return () => {
    opened ??= fetch(form.dataset.index).then(async (response) => {
      if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
      const root = await response.json();
      return (await import(root.engine)).open(root);
    });
    opened.catch(() => { opened = null; });
    return opened;
  };
};

/** Returns the messages of a form, from its attributes or in English. */
export const saying = (form) => ({ none: "Nothing was found.", found: '{"one":"1 page was found.","other":"{count} pages were found."}', more: "More results", failed: "Search is not available right now.", ...form.dataset });

/** Moves the focus between the field and the links of a list when the reader presses an arrow key or Escape. */
export const arrows = (event, input, list) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
  const stops = [input, ...list.querySelectorAll("a")], at = stops.indexOf(document.activeElement);
  if (at < 0 || stops.length < 2 && event.key !== "Escape") return;
  const to = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1
    : event.key === "Escape" && at > 0 ? 0 : -1;
  if (to < 0 || to >= stops.length) return;
  event.preventDefault();
  stops[to].focus();
};

/**
 * Turns a form into a search of the index at data-index. Results fill the list with the class search-results in or after it,
 * and hide the element whose ID is in data-instead. Messages are in data-none, data-found, data-more, and data-failed.
 * data-found has a string for each plural form, with {count} for the number. A select named version has the labels of the
 * versions of the documentation to search, and "*" for all.
 */
export const mount = (form) => {
  const input = form.querySelector("input[type=search]");
  if (!input || typeof DecompressionStream === "undefined") return;
  const open = opener(form), say = saying(form);
  const within = (className, name) => form.parentElement.querySelector(`.${className}`)
    ?? form.insertAdjacentElement("afterend", element(name, className));
  const list = within("search-results", "ol"), status = within("search-status", "p");
  status.setAttribute("role", "status");
  // The versions of the documentation, if there are several.
  const version = form.querySelector("select[name=version]");
  const instead = document.getElementById(form.dataset.instead ?? "");
  const here = new URL(form.action).pathname === location.pathname;
  const more = element("button", "search-more", say.more);
  more.type = "button";

  const show = (any, count, results) => {
    list.replaceChildren(...results.map(resultItem));
    list.hidden = results.length === 0;
    if (instead) instead.hidden = any;
    status.textContent = !any ? "" : count === 0 ? say.none : counted(JSON.parse(say.found), count);
    more.remove();
  };

  let turn = 0, found = null;
  const search = async () => {
    const own = ++turn, query = input.value.trim();
    if (!query) return show(false, 0, []);
    try {
      const answered = await (await open()).search(query, version?.value), results = await answered.next();
      if (own !== turn) return;
      found = answered;
      show(true, found.count, results);
      if (found.more()) list.after(more);
    } catch (error) {
      if (own !== turn) return;
      show(false, 0, []);
      status.textContent = say.failed;
      console.error(error);
    }
  };
  more.addEventListener("click", async () => {
    const own = turn, results = await found.next();
    if (own !== turn) return;
    const items = results.map(resultItem);
    list.append(...items);
    items[0]?.querySelector("a").focus();
    if (!found.more()) more.remove();
  });

  const remember = () => {
    if (!here) return;
    const address = new URL(location.href);
    if (input.value.trim()) address.searchParams.set("q", input.value.trim());
    else address.searchParams.delete("q");
    if (version?.selectedIndex > 0) address.searchParams.set("version", version.value);
    else address.searchParams.delete("version");
    history.replaceState(history.state, "", address);
  };
  let waiting;
  input.addEventListener("focus", () => { open().catch(() => {}); }, { once: true });
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { remember(); search(); }, 150);
  });
  version?.addEventListener("change", () => { remember(); search(); });
  form.addEventListener("submit", (event) => {
    clearTimeout(waiting);
    // On other pages, the form opens the search page.
    if (!here) return;
    event.preventDefault();
    remember();
    search();
  });

  const move = (event) => arrows(event, input, list);
  form.addEventListener("keydown", move);
  list.addEventListener("keydown", move);

  const wanted = here && new URL(location.href).searchParams.get("version");
  if (version && wanted && [...version.options].some((option) => option.value === wanted)) version.value = wanted;
  const asked = here && new URL(location.href).searchParams.get("q");
  if (asked) {
    input.value = asked;
    if (instead) instead.hidden = true;
    search();
  }
};

if (typeof document !== "undefined") {
  document.querySelectorAll("form.search[data-index]").forEach(mount);
}
