// Sets the colours that the reader has chosen before anything is drawn. It is the one
// script that a page waits for, and says nothing where nothing was chosen.
try {
  const chosen = localStorage.getItem("scheme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.scheme = chosen;
} catch { /* Storage may be switched off. */ }
