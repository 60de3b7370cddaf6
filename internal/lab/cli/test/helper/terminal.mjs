/**
 * Preloaded to simulate terminals: the streams in TEST_TERMINALS, with TEST_COLUMNS columns.
 */

for (const name of (process.env.TEST_TERMINALS ?? "").split(",")) {
  if (name !== "stdout" && name !== "stderr") continue;
  Object.defineProperty(process[name], "isTTY", { value: true });
  Object.defineProperty(process[name], "columns", { value: Number(process.env.TEST_COLUMNS ?? 80) });
}
