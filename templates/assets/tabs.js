// Tabs. Without this script, panels are stacked, each with its name. The script shows one panel at a time, keeps groups in
// sync, and remembers the last choice.
(() => {
  const all = [...document.querySelectorAll(".tabs:not(:has(input))")];
  const memory = (key, value) => {
    try {
      return value === undefined ? localStorage.getItem(key) : localStorage.setItem(key, value);
    } catch {
      return null;
    }
  };
  const choose = (tabs, index, focus) => {
    tabs.buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === index));
      button.tabIndex = i === index ? 0 : -1;
      tabs.panels[i].hidden = i !== index;
    });
    if (focus) tabs.buttons[index].focus();
  };
  const known = all.map((root) => {
    const panels = [...root.children].filter((child) => child.matches(".panel"));
    const list = document.createElement("div");
    list.className = "tab-row";
    list.setAttribute("role", "tablist");
    const names = panels.map((panel) => panel.querySelector(".panel-title").textContent);
    const tabs = { group: root.dataset.group, names, panels };
    tabs.buttons = panels.map((panel, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.id = `${panel.id}-tab`;
      const label = panel.querySelector(".panel-title").cloneNode(true);
      // A button can't contain links, and a copy must not repeat IDs.
      button.append(...(label.querySelector("a, [id]") ? [label.textContent] : label.childNodes));
      button.setAttribute("role", "tab");
      button.setAttribute("aria-controls", panel.id);
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", button.id);
      panel.tabIndex = 0;
      button.addEventListener("click", () => pick(tabs, i, false));
      return button;
    });
    list.append(...tabs.buttons);
    list.addEventListener("keydown", (event) => {
      const last = panels.length - 1;
      const now = tabs.buttons.indexOf(document.activeElement);
      const rtl = getComputedStyle(list).direction === "rtl";
      const to = { ArrowRight: now + (rtl ? -1 : 1), ArrowLeft: now + (rtl ? 1 : -1), Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      pick(tabs, to < 0 ? last : to > last ? 0 : to, true);
    });
    root.prepend(list);
    root.classList.add("ready");
    return tabs;
  });
  const pick = (tabs, index, focus) => {
    const top = tabs.buttons[index].getBoundingClientRect().top;
    choose(tabs, index, focus);
    if (!tabs.group) return;
    memory(`tabs:${tabs.group}`, tabs.names[index]);
    for (const other of known) {
      const same = other.group === tabs.group && other !== tabs ? other.names.indexOf(tabs.names[index]) : -1;
      if (same >= 0) choose(other, same, false);
    }
    // The content above the tabs may have changed its height.
    window.scrollBy(0, tabs.buttons[index].getBoundingClientRect().top - top);
  };
  const held = (tabs) => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    return tabs.panels.findIndex((panel) => target && panel.contains(target));
  };
  for (const tabs of known) {
    const last = tabs.group ? tabs.names.indexOf(memory(`tabs:${tabs.group}`)) : -1;
    choose(tabs, Math.max(held(tabs) >= 0 ? held(tabs) : last, 0), false);
  }
  // A link may point to a heading in a hidden panel.
  addEventListener("hashchange", () => {
    for (const tabs of known) {
      if (held(tabs) >= 0) choose(tabs, held(tabs), false);
    }
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  });
})();
