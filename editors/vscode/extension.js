// Starts `vitrine lsp` for the pages and the YAML files of Vitrine sites. The server finds each site by itself.
"use strict";

const { window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function activate() {
  const command = workspace.getConfiguration("vitrine").get("command", "vitrine");
  client = new LanguageClient("vitrine", "Vitrine", { command, args: ["lsp"] }, {
    documentSelector: [
      { scheme: "file", language: "markdown", pattern: "**/content/**" },
      { scheme: "file", language: "yaml", pattern: "**/content/**" },
    ],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/{content,templates}/**") },
  });
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`Vitrine's language server does not start: ${error.message}; install vitrine, or set vitrine.command to its path`);
  }
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
