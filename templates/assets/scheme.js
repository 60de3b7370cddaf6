// Applies the reader's color scheme before the browser paints the page. It is the only render-blocking script, and it does
// nothing if the reader hasn't chosen a scheme.
try {
  const chosen = localStorage.getItem("scheme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.scheme = chosen;
} catch { /* The reader may have disabled storage. */ }
