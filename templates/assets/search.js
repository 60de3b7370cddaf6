// The search of the page /search. Without this script the page is a list of all
// pages; with it, a form that looks through an index which was made with the
// site. Nothing is sent anywhere.
"use strict";

(() => {
  const form = document.getElementById("Search");
  const query = document.getElementById("Query");
  const found = document.getElementById("Found");
  const results = document.getElementById("Results");
  const everything = document.getElementById("Everything");
  if (!form || !query || !found || !results || !everything || !window.fetch) return;

  const shown = 50;
  // What a word is worth where it stands: title, description, tags, headings, text.
  const weights = [8, 2, 4, 3, 1];
  let pages = null;

  /** Lower case, without accents, so that "cafe" finds "Café". */
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

  /** The index, which is fetched when somebody first searches. */
  const load = () => {
    pages ??= fetch(form.dataset.index)
      .then(answer)
      .then((list) => Promise.all(list.shards.map((path) => fetch(path).then(answer))))
      .then((shards) => shards.flat().map((record) => ({ record, fields: record.slice(1).map(fold) })));
    pages.catch(() => { pages = null; });
    return pages;
  };

  const answer = (response) => {
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    return response.json();
  };

  /** What a page is worth for the words: 0 where one of them is nowhere in it. */
  const worth = (fields, words) => {
    let sum = 0;
    for (const word of words) {
      let best = 0;
      fields.forEach((field, i) => {
        const at = field.indexOf(word);
        if (at < 0) return;
        const begins = at === 0 || !/[\p{L}\p{N}]/u.test(field[at - 1]);
        best = Math.max(best, weights[i] * (begins ? 2 : 1));
      });
      if (best === 0) return 0;
      sum += best;
    }
    return sum;
  };

  const entry = ([path, title, description]) => {
    const item = document.createElement("li");
    item.className = "entry";
    const heading = document.createElement("h2");
    const link = document.createElement("a");
    link.href = path;
    link.textContent = title;
    heading.append(link);
    item.append(heading);
    if (description) {
      const lead = document.createElement("p");
      lead.className = "entry-lead";
      lead.textContent = description;
      item.append(lead);
    }
    return item;
  };

  const show = (hits, words) => {
    const any = words.length > 0;
    results.replaceChildren(...hits.slice(0, shown).map((hit) => entry(hit.page.record)));
    results.hidden = hits.length === 0;
    everything.hidden = any;
    found.textContent = !any ? "" : hits.length === 0 ? "Nothing was found."
      : hits.length === 1 ? "One page was found."
      : hits.length > shown ? `${hits.length} pages were found; the best ${shown} are shown.` : `${hits.length} pages were found.`;
  };

  let turn = 0;
  const search = async () => {
    const own = ++turn;
    const words = fold(query.value).split(/\s+/u).filter(Boolean);
    if (words.length === 0) {
      show([], words);
      return;
    }
    try {
      const all = await load();
      if (own !== turn) return;
      const hits = all.map((page) => ({ page, worth: worth(page.fields, words) })).filter((hit) => hit.worth > 0);
      hits.sort((a, b) => b.worth - a.worth);
      show(hits, words);
    } catch {
      if (own !== turn) return;
      show([], []);
      found.textContent = "The search cannot be reached now. All pages are listed below.";
    }
  };

  const remember = () => {
    const address = new URL(location.href);
    if (query.value) address.searchParams.set("q", query.value);
    else address.searchParams.delete("q");
    history.replaceState(null, "", address);
  };

  let waiting;
  query.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { remember(); search(); }, 120);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    remember();
    search();
  });

  form.hidden = false;
  query.value = new URL(location.href).searchParams.get("q") ?? "";
  if (query.value) search();
})();
