"use strict";
// Starts a program from the package for this platform, which npm selects by "os" and "cpu". It downloads nothing.
const { spawn } = require("child_process");
const path = require("path");

module.exports = (program) => {
  const name = `@owner/vitrine-${process.platform}-${process.arch}`;
  let folder;
  try {
    folder = path.dirname(require.resolve(`${name}/package.json`));
  } catch {
    console.error(
      `vitrine: the package ${name} is not installed.\n` +
        "It is an optional dependency of @owner/vitrine: install without --no-optional or --omit=optional, and on the\n" +
        "system that it is to run on (node_modules cannot be copied from another). Linux, macOS and Windows on x64 and\n" +
        "arm64 have one.",
    );
    process.exit(1);
  }
  const file = path.join(folder, "bin", process.platform === "win32" ? `${program}.exe` : program);
  const child = spawn(file, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
  // The program handles signals: vitrined loads a build on SIGHUP, and drains on SIGTERM.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // A terminal sends SIGINT to the program too, so don't send it twice.
    process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY) || child.kill(signal));
  }
  child.on("error", (error) => {
    console.error(`vitrine: starting ${file}: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal !== null) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else {
      process.exit(code);
    }
  });
};
