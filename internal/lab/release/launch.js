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
        "Reinstall @owner/vitrine without --no-optional and --omit=optional, because this package is an optional\n" +
        "dependency. Install on the system that runs the program, because node_modules cannot be copied from another\n" +
        "system. The supported systems are Linux, macOS, and Windows on x64 and arm64.",
    );
    process.exit(1);
  }
  const file = path.join(folder, "bin", process.platform === "win32" ? `${program}.exe` : program);
  const child = spawn(file, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
  // Pass signals on to the program: vitrined loads a build on SIGHUP, and drains on SIGTERM.
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
