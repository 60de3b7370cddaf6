/**
 * Loaded before the tool, makes it believe that the streams named in
 * TEST_TERMINALS are terminals, of TEST_COLUMNS columns.
 */

for (const name of (process.env.TEST_TERMINALS ?? "").split(",")) {
  if (name !== "stdout" && name !== "stderr") continue;
  Object.defineProperty(process[name], "isTTY", { value: true });
  Object.defineProperty(process[name], "columns", { value: Number(process.env.TEST_COLUMNS ?? 80) });
}
