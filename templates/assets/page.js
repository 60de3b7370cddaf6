// Enhances a page. Every page works without it.
"use strict";

(() => {
  const words = document.currentScript?.dataset ?? {};
  const root = document.documentElement;

  /** Copies text, and shows the result on a button for a moment. */
  const copy = async (button, text) => {
    const label = button.querySelector("span") ?? button;
    const said = label.textContent;
    try {
      await navigator.clipboard.writeText(await text());
      label.textContent = words.copied;
    } catch {
      label.textContent = words.failed;
    }
    button.disabled = true;
    setTimeout(() => { label.textContent = said; button.disabled = false; }, 1500);
  };

  // The color scheme: the device's, light, or dark.
  const switches = [...document.querySelectorAll(".scheme")];
  const order = ["auto", "light", "dark"];
  let chosen = root.dataset.scheme ?? "auto";
  const show = () => {
    for (const button of switches) {
      button.title = `${button.dataset.label}: ${button.dataset[chosen]}`;
      button.setAttribute("aria-label", button.title);
    }
  };
  for (const button of switches) {
    button.addEventListener("click", () => {
      chosen = order[(order.indexOf(chosen) + 1) % order.length];
      if (chosen === "auto") delete root.dataset.scheme;
      else root.dataset.scheme = chosen;
      try { localStorage.setItem("scheme", chosen); } catch { /* Without storage, the choice lasts only for this page. */ }
      show();
    });
  }
  show();

  // Search opens in a dialog over the page, or on its own page if the dialog fails.
  const find = document.querySelector("a.find:not([aria-current])");
  let dialog;
  const loadSearch = () => dialog ??= fetch(find.href).then(async (response) => {
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const modules = [page.querySelector("script[type=module]").src, page.querySelector("form.search").dataset.src].map((module) => import(module));
    // Insert the search styles after the theme's, so that the site's styles can still override them.
    const styles = page.querySelector("link[href*='/find.']");
    if (styles && !document.querySelector("link[href*='/find.']")) {
      const loaded = new Promise((done) => { styles.onload = styles.onerror = done; });
      document.querySelector("link[rel=stylesheet]").after(styles);
      await loaded;
    }
    const [search, made] = await Promise.all(modules);
    return made.dialogWith(search)(page, find.textContent);
  });
  const openSearch = () => { loadSearch().then((open) => open(), () => { location.href = find.href; }); };
  find?.addEventListener("pointerenter", () => { loadSearch().catch(() => {}); }, { once: true });
  find?.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openSearch();
  });

  // "/" and Ctrl-K focus the search field of this page, or open the dialog.
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    const asked = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey
      || event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const field = [...document.querySelectorAll("input[type=search]")].find((input) => input.checkVisibility());
    if (!asked || !field && !find) return;
    event.preventDefault();
    if (field) field.focus();
    else openSearch();
  });

  if (navigator.clipboard) {
    for (const button of document.querySelectorAll("[data-copy-page]")) {
      button.addEventListener("click", () => copy(button, async () => {
        const answer = await fetch(button.dataset.copyPage);
        if (!answer.ok) throw new Error(`${answer.status}`);
        return answer.text();
      }));
    }
    for (const code of document.querySelectorAll(".prose pre > code")) {
      const button = document.createElement("button"), block = code.parentElement;
      let bar = block.parentElement.querySelector(":scope > figcaption");
      if (!bar) {
        bar = document.createElement("div");
        bar.className = "copied";
        block.replaceWith(bar);
        bar.append(block);
      }
      button.type = "button";
      button.className = "copy";
      button.textContent = words.copy;
      button.addEventListener("click", () => copy(button, () => code.textContent));
      bar.append(button);
    }
    for (const anchor of document.querySelectorAll("a.anchor")) {
      anchor.addEventListener("click", () => { navigator.clipboard.writeText(anchor.href).catch(() => {}); });
    }
  }

  // Scrolls a long sidebar to the current page.
  const tree = document.querySelector(".docs > .sheet");
  const here = tree?.querySelector("[aria-current]");
  if (here && tree.scrollHeight > tree.clientHeight) {
    tree.scrollTop = here.offsetTop - tree.clientHeight / 3;
  }

  // Marks the current section in the table of contents.
  const entries = new Map();
  for (const link of document.querySelectorAll(".toc a")) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (heading) entries.set(heading, link);
  }
  if (entries.size > 0 && window.IntersectionObserver) {
    const headings = [...entries.keys()];
    const mark = () => {
      const passed = headings.filter((h) => h.getBoundingClientRect().top < innerHeight / 3);
      const current = entries.get(passed.at(-1) ?? headings[0]);
      for (const link of entries.values()) {
        if (link === current) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    };
    const observer = new IntersectionObserver(mark, { rootMargin: "0px 0px -66% 0px", threshold: [0, 1] });
    for (const heading of headings) observer.observe(heading);
  }
})();
