// Sets the color scheme that the reader has chosen before the page is drawn. It is the only script that blocks a page, and it
// does nothing without a choice.
try {
  const chosen = localStorage.getItem("scheme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.scheme = chosen;
} catch { /* Storage may be switched off. */ }
