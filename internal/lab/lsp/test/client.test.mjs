// Tests the language server with the client library of VS Code's extensions.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  CodeActionRequest, CompletionRequest, createProtocolConnection, DefinitionRequest, DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification, ExitNotification, HoverRequest, InitializedNotification, InitializeRequest,
  PrepareRenameRequest, PublishDiagnosticsNotification, ReferencesRequest, RenameRequest, ShutdownRequest,
  StreamMessageReader, StreamMessageWriter, WillRenameFilesRequest,
} from "vscode-languageserver-protocol/node.js";

const folder = mkdtempSync(join(tmpdir(), "vitrine-lsp-"));
const root = join(folder, "acorn");
const uri = (name) => pathToFileURL(join(root, "content", name)).href;
const page = uri("index.md");
let server, connection, problems, arrived;

before(async () => {
  execFileSync(process.env.VITRINE, ["new", "site", "Acorn"], { cwd: folder });
  writeFileSync(join(root, "content/about.md"), "---\ntitle: About us\ndescription: Who we are.\n---\n\n## Our team\n\nSee [home](index.md).\n");
  const home = join(root, "content/index.md");
  writeFileSync(home, readFileSync(home, "utf8") + "\n🍺 [us](about.md#our-team) and [gone](/gone)\n");
  server = spawn(process.env.VITRINE, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  problems = new Map();
  connection.onNotification(PublishDiagnosticsNotification.type, (p) => { problems.set(p.uri, p.diagnostics); arrived?.(); });
  connection.listen();
  const { capabilities } = await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid, rootUri: pathToFileURL(root).href,
    capabilities: { workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ["rename"] } } },
  });
  assert.equal(capabilities.positionEncoding, "utf-16");
  await connection.sendNotification(InitializedNotification.type, {});
  await connection.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri: page, languageId: "markdown", version: 1, text: readFileSync(home, "utf8") },
  });
});

after(async () => {
  await connection.sendRequest(ShutdownRequest.type);
  const ended = new Promise((done) => server.on("exit", done));
  await connection.sendNotification(ExitNotification.type);
  assert.equal(await ended, 0);
  rmSync(folder, { recursive: true });
});

// Waits until right accepts the page's problems.
async function until(right) {
  while (!right(problems.get(page) ?? [])) await new Promise((done) => { arrived = done; });
}

const lines = () => readFileSync(join(root, "content/index.md"), "utf8").split("\n");
const place = (text, within = 0) => {
  const line = lines().findIndex((l) => l.includes(text));
  return { textDocument: { uri: page }, position: { line, character: lines()[line].indexOf(text) + within } };
};

test("problems of saved and unsaved content", { timeout: 60_000 }, async () => {
  await until((found) => found.some((d) => d.code === "V024"));
  const [gone] = problems.get(page).filter((d) => d.code === "V024");
  assert.deepEqual(gone.range.start, place("[gone]").position);
  const at = place("/gone");
  await connection.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri: page, version: 2 },
    contentChanges: [{ range: { start: at.position, end: { line: at.position.line, character: at.position.character + 5 } }, text: "/about/" }],
  });
  await until((found) => found.some((d) => d.code === "V026"));
  const range = problems.get(page).find((d) => d.code === "V026").range;
  const actions = await connection.sendRequest(CodeActionRequest.type, { textDocument: { uri: page }, range, context: { diagnostics: [] } });
  assert.ok(actions.some((a) => a.title === 'Write "/about"'));
});

test("completion, hover, definition, and references", { timeout: 60_000 }, async () => {
  const { items } = await connection.sendRequest(CompletionRequest.type, place("about.md#our", "about.md#our".length));
  assert.deepEqual(items.map((i) => i.label), ["our-team"]);
  const hover = await connection.sendRequest(HoverRequest.type, place("about.md#", 2));
  assert.match(hover.contents.value, /About us[^]*Who we are\.[^]*## Our team/);
  const [target] = await connection.sendRequest(DefinitionRequest.type, place("about.md#", 2));
  assert.deepEqual([target.uri, target.range.start.line], [uri("about.md"), 5]);
  const all = await connection.sendRequest(ReferencesRequest.type, { ...place("about.md#", 2), context: { includeDeclaration: true } });
  assert.deepEqual(all.map((l) => l.uri), [uri("about.md"), page]);
});

test("renaming", { timeout: 60_000 }, async () => {
  const prepared = await connection.sendRequest(PrepareRenameRequest.type, place("about.md#", 2));
  assert.equal(prepared.placeholder, "about.md");
  const edit = await connection.sendRequest(RenameRequest.type, { ...place("about.md#", 2), newName: "us.md" });
  assert.deepEqual(edit.documentChanges.map((c) => c.kind ?? c.edits.map((e) => e.newText)),
    [['aliases: ["/about"]\n'], ["us.md#our-team", "/us"], "rename"]);
  const moved = await connection.sendRequest(WillRenameFilesRequest.type, { files: [{ oldUri: uri("about.md"), newUri: uri("deep/us.md") }] });
  assert.ok(moved.documentChanges.some((c) => c.edits.some((e) => e.newText === "deep/us.md#our-team")));
});
