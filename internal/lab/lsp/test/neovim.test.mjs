// Runs the configuration in docs/guides/editors.md in the installed Neovim.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";

test("Neovim shows problems, completes, goes to definitions, and renames", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-nvim-"));
  const root = join(folder, "acorn");
  const [, lines] = readFileSync(process.env.VITRINE_EDITING, "utf8").match(/```lua\n([^]*?)```/);
  execFileSync(process.env.VITRINE, ["new", "site", "Acorn"], { cwd: folder });
  writeFileSync(join(root, "content/about.md"), "---\ntitle: About us\ndescription: Who we are.\n---\n\n## Our team\n\nSee 🍺 [home](index.md), [team](#our-team) and [gone](/gone).\n");
  const script = join(root, "try.lua");
  writeFileSync(script, `${lines}
vim.cmd("filetype on")
vim.cmd("edit content/about.md")
local function ask(method, line, column, more)
  local params = vim.tbl_extend("force", { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = column } }, more or {})
  local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. method, params, 10000) or {}
  for _, answer in pairs(answers) do return answer.result or answer.error end
end
assert(vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end), "no problems came")
local said = { problem = vim.diagnostic.get(0, { lnum = 7 })[1].message, line = vim.diagnostic.get(0, { lnum = 7 })[1].lnum }
said.hover = ask("hover", 7, 16).contents.value
said.definition = ask("definition", 7, 38)[1].range.start.line
vim.api.nvim_buf_set_text(0, 7, 0, 7, 0, { "[x](ind" })
said.completion = ask("completion", 7, 7).items[1].textEdit.newText
vim.lsp.util.apply_workspace_edit(ask("rename", 5, 5, { newName = "Everybody" }), "utf-16")
said.text = table.concat(vim.api.nvim_buf_get_lines(0, 5, 8, false), "\\n")
io.stdout:write(vim.json and vim.json.encode(said) or vim.fn.json_encode(said))
vim.cmd("qa!")
`);
  const out = execFileSync("nvim", ["--headless", "--clean", "-i", "NONE", "-n", "-c", `luafile ${script}`], {
    cwd: root, encoding: "utf8", timeout: 110_000,
    env: { ...process.env, XDG_STATE_HOME: root, XDG_CACHE_HOME: root, XDG_DATA_HOME: root, PATH: dirname(process.env.VITRINE) + delimiter + process.env.PATH },
  });
  const said = JSON.parse(out.slice(out.indexOf("{")));
  assert.match(said.problem, /there is nothing at "\/gone"/);
  assert.equal(said.line, 7);
  assert.match(said.hover, /index\.md/);
  assert.equal(said.definition, 5);
  assert.equal(said.completion, "index.md");
  assert.match(said.text, /^## Everybody\n\n\[x\]\(indSee 🍺 \[home\]\(index\.md\), \[team\]\(#everybody\)/);
  rmSync(folder, { recursive: true });
});
