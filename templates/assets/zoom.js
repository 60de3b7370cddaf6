// Opens images of the zoom component in a dialog. Without this script, they are links to the image files.
for (const link of document.querySelectorAll(".zoom a:has(> img, > picture)")) {
  link.setAttribute("aria-haspopup", "dialog");
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const small = link.querySelector("img");
    const image = document.createElement("img");
    image.src = link.href;
    image.alt = small.alt;
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = link.closest(".zoom").dataset.close;
    const dialog = document.createElement("dialog");
    dialog.className = "zoomed";
    dialog.setAttribute("aria-label", small.alt || close.textContent);
    dialog.append(close, image);
    // A click anywhere, the button, or Escape closes the dialog, and the focus returns to the link.
    dialog.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  });
}
