// The search dialog, which opens over any page. page.js loads it on first use.

/** Returns a function that creates the dialog, given the exports of search.js. */
export const dialogWith = ({ element, texts, counted, opener, saying, arrows }) => {
  const fileDrawing = "M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8Zm0 0v5h5", headingDrawing = "M5 9h14M5 15h14M10 4 8 20m8-16-2 16";

  const drawing = (d) => {
    const [svg, path] = ["svg", "path"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", d);
    svg.append(path);
    return svg;
  };

  const hitLink = (path, drawn, title, text, version) => {
    const made = element("a", "", drawing(drawn), element("b", "", ...texts(title)));
    if (version) made.lastChild.append(" ", element("bdi", "badge", version));
    if (text.length > 0) made.append(element("span", "", ...texts(text)));
    made.href = path;
    return made;
  };

  /** Returns the links of a result: one to the page, with an excerpt, and one to each section that contains the words. */
  const hitLinks = ({ path, title, version, sections }) => {
    const own = sections.find((section) => section.path === path) ?? sections[0];
    return [hitLink(path, fileDrawing, title, own?.snippet ?? [], version), ...sections
      .filter((section) => section.path !== path && section.heading.length > 0)
      .map((section) => hitLink(section.path, headingDrawing, section.heading, section === own ? [] : section.snippet))];
  };

  /** The reader's recent searches, stored only in this browser. */
  const recents = {
    key: "searches",
    get() { try { return JSON.parse(localStorage.getItem(this.key)) ?? []; } catch { return []; } },
    set(list) { try { localStorage.setItem(this.key, JSON.stringify(list.slice(0, 5))); } catch { /* Without storage, there are no recent searches. */ } },
    add(query) { if (query) this.set([query, ...this.get().filter((other) => other !== query)]); },
  };

  /**
   * Creates the dialog from the search page. It groups results by the sections that the page lists, and the reader can
   * limit them to one section.
   */
  return (page, label) => {
    const form = document.importNode(page.querySelector("form.search[data-index]"), true);
    const open = opener(form), say = { recent: "Recent searches", clear: "Clear", all: "Everything", close: "Close", ...saying(form) };
    // data-at and data-folder are relative to the site's root, which may be a path on the host.
    const below = new URL(form.action).pathname.slice(0, -form.dataset.at.length);
    const sections = [...page.querySelectorAll("section[data-folder]")]
      .map((section) => ({ folder: below + section.dataset.folder, title: section.querySelector("h2").textContent }));
    const input = form.querySelector("input[type=search]");
    form.querySelector(`[for="${input.id}"]`).htmlFor = input.id = "Query-dialog";
    input.removeAttribute("aria-describedby");
    // On a page of an old version of the documentation, search that version by default.
    const version = form.querySelector("select[name=version]");
    const wanted = new URL(document.querySelector("a.find").href).searchParams.get("version");
    if (version && wanted) version.value = wanted;
    const button = (text, pressed) => {
      const made = element("button", "", text);
      made.type = "button";
      if (pressed !== undefined) made.ariaPressed = `${pressed}`;
      return made;
    };
    const close = button(element("kbd", "", "Esc"));
    close.className = "esc";
    close.append(element("span", "sr", say.close));
    form.querySelector("[type=submit]").replaceWith(close);
    const filters = element("p", "search-filters", ...[{ title: say.all }, ...sections].map(({ title }, i) => button(title, i === 0)));
    filters.hidden = sections.length === 0;
    const hits = element("div", "hits"), status = element("span"), more = button(say.more);
    status.setAttribute("role", "status");
    more.className = "more";
    more.hidden = true;
    const box = element("dialog", "search", form, filters, hits, element("div", "search-foot", status, more));
    box.ariaLabel = label;

    let turn = 0, found = null, chosen = -1, shown = "";
    const sectionOf = ({ path }) => sections.findIndex(({ folder }) => path === folder || path.startsWith(`${folder}/`));
    const groups = new Map();
    const group = (title) => {
      if (!groups.has(title)) groups.set(title, hits.appendChild(element("div", "", ...title ? [element("h2", "", title)] : [])));
      return groups.get(title);
    };
    const clear = () => {
      groups.clear();
      hits.replaceChildren();
      more.hidden = true;
    };
    /** Shows the next results in the selected section. */
    const fill = async (own) => {
      let added = 0;
      for (let batch = 0; batch < 5 && added === 0 && found.more(); batch++) {
        const results = await found.next();
        if (own !== turn) return;
        for (const result of results) {
          const section = sectionOf(result);
          if (chosen >= 0 && section !== chosen) continue;
          group(sections[section]?.title ?? "").append(...hitLinks(result));
          added++;
        }
      }
      more.hidden = !found.more();
    };
    const showRecent = () => {
      const list = recents.get();
      if (list.length === 0) return;
      const forget = button(say.clear);
      forget.addEventListener("click", () => { recents.set([]); clear(); input.focus(); });
      hits.append(element("div", "recent", element("h2", "", say.recent), ...list.map((query) => {
        const again = button(query);
        again.addEventListener("click", () => { input.value = query; input.focus(); search(); });
        return again;
      }), forget));
    };
    const search = async () => {
      const query = input.value.trim(), asked = JSON.stringify([query, version?.value, chosen]);
      if (query && asked === shown) return; // Keep the list, because the focus may be in it.
      const own = ++turn;
      shown = asked;
      if (!query) {
        clear();
        status.textContent = "";
        return showRecent();
      }
      try {
        const answered = await (await open()).search(query, version?.value);
        if (own !== turn) return;
        found = answered;
        clear();
        status.textContent = found.count === 0 ? say.none : counted(JSON.parse(say.found), found.count);
        await fill(own);
      } catch (error) {
        if (own !== turn) return;
        shown = "";
        clear();
        status.textContent = say.failed;
        console.error(error);
      }
    };
    let waiting;
    input.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(search, 100);
    });
    version?.addEventListener("change", () => { search(); });
    form.addEventListener("submit", (event) => {
      const first = hits.querySelector("a");
      if (!first) return;
      event.preventDefault();
      first.click();
    });
    hits.addEventListener("click", (event) => {
      if (!event.target.closest("a")) return;
      recents.add(input.value.trim());
      box.close(); // because the link may point to a section of the page under the dialog
    });
    more.addEventListener("click", () => fill(turn));
    filters.addEventListener("click", (event) => {
      const all = [...filters.children], at = all.indexOf(event.target);
      if (at < 0) return;
      chosen = at - 1;
      all.forEach((other, i) => { other.ariaPressed = `${i === at}`; });
      search();
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.preventDefault(); // Otherwise, Escape would only clear the search field.
        box.close();
      } else arrows(event, input, hits);
    });
    box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
    close.addEventListener("click", () => box.close());
    open().catch(() => {});
    document.body.append(box);
    return () => {
      if (!box.open) box.showModal();
      input.focus();
      input.select();
      search();
    };
  };
};
