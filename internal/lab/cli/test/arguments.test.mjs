/** The accepted command lines, and the error messages for all others. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { BODY } from "./helper/facts.mjs";
import { serve } from "./helper/listen.mjs";
import { BASE_URL_VARIABLE, NAME, run } from "./helper/run.mjs";

for (const args of [[], ["--help"], ["-h"], ["help"], ["help", "--base-url", "http://x.example"], ["--version", "--help"]]) {
  test(`help is on stdout, with exit 0: ${JSON.stringify(args)}`, async () => {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 0);
    assert.equal(stderr, "");
    for (const part of ["product", "pricing", "signup", "--json", BASE_URL_VARIABLE, "Exit codes", "cannot sign in or\n  create accounts"]) {
      assert.ok(stdout.includes(part), `help names ${part}`);
    }
    for (const exit of ["0", "1", "2", "3", "4", "5", "6", "130"]) assert.match(stdout, new RegExp(`^  ${exit} +\\w`, "m"));
  });
}

for (const args of [["help", "pricing"], ["pricing", "--help"], ["-h", "pricing"], ["pricing", "help"]]) {
  test(`help on one command: ${args.join(" ")}`, async () => {
    const { code, stdout } = await run(args);
    assert.equal(code, 0);
    assert.ok(stdout.startsWith(`${NAME} pricing: `));
  });
}

test("help as JSON lists every command and exit code", async () => {
  const { stdout } = await run(["--help", "--json"]);
  const help = JSON.parse(stdout);
  assert.deepEqual(help.commands.map((/** @type {{name: string}} */ command) => command.name), ["product", "pricing", "signup", "changes", "help"]);
  assert.deepEqual(help.exitCodes.map((/** @type {{code: number}} */ exit) => exit.code), [0, 1, 2, 3, 4, 5, 6, 130]);
});

test("the version, for people and as JSON", async () => {
  const { stdout } = await run(["--version"]);
  assert.match(stdout, new RegExp(`^${NAME} \\S+\\n$`));
  const document = JSON.parse((await run(["--json", "--version"])).stdout);
  assert.deepEqual(Object.values(document), stdout.trim().split(" "));
});

/** @type {[args: string[], words: RegExp][]} */
const MISTAKES = [
  [["pricng"], /unknown command "pricng"; did you mean pricing\?/],
  [["Product"], /did you mean product\?/],
  [["sign-up"], /did you mean signup\?/],
  [["version"], /did you mean --version\?/],
  [["xyzzy"], /unknown command "xyzzy"\n/],
  [["product", "--josn"], /unknown flag "--josn"; did you mean --json\?/],
  [["product", "--pricing"], /did you mean pricing\?/],
  [["-v"], /did you mean --version\?/],
  [["product", "--json=yes"], /--json takes no value/],
  [["product", "pricing"], /one command at a time/],
  [["product", "--base-url"], /--base-url needs a value/],
  [["product", "--base-url", "--wait"], /--base-url needs a value/],
  [["product", "--base-url="], /--base-url needs a value/],
  [["product", "--base-url", "ftp://x.example"], /neither http nor https/],
  [["product", "--base-url", "localhost:8080"], /neither http nor https/],
  [["product", "--base-url", "x.example"], /not an absolute URL/],
  [["product", "--base-url", "http://x.example/?a=1"], /must not contain \? or #/],
  [["product", "--timeout", "0"], /not a number of seconds/],
  [["product", "--timeout", "soon"], /not a number of seconds/],
  [["product", "--timeout", "1e9"], /not a number of seconds/],
  [["--", "--json"], /unknown command "--json"/],
  [["login"], /cannot sign in or create accounts/],
  [["buy"], /cannot buy plans/],
  [["roleplay"], /only reads public information: It cannot start role-plays/],
  [["call"], /does not expose customer information or call transcripts/],
  [["customers"], /cannot read private data/],
  [["transcripts"], /does not expose customer information or call transcripts/],
  [["\u001b]0;title\u0007"], /unknown command "\\u001b\]0;title\\u0007"/],
];

for (const [args, words] of MISTAKES) {
  test(`a usage error, with exit 2: ${JSON.stringify(args)}`, async () => {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr, words);
  });
}

test("a password in a base URL is rejected and not printed", async () => {
  const bad = ["https://someone:secret@x.example", "https://someone:secret@x.example:port", "//someone:secret@x.example", "ftp://someone:secret@x.example"];
  for (const url of bad) {
    const { code, stderr } = await run(["product", "--base-url", url]);
    assert.equal(code, 2);
    assert.match(stderr, /--base-url: (the interface is anonymous|not an absolute URL)/);
    assert.ok(!stderr.includes("secret"));
  }
});

test("with --json in any position, an error is a JSON problem", async () => {
  for (const args of [["--json", "pricng"], ["pricng", "--json"], ["product", "--json", "--nope"]]) {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 2);
    assert.equal(stdout, "");
    const problem = JSON.parse(stderr);
    assert.match(problem.type, /^https?:.*\/cli#exit-2$/);
    assert.equal(problem.exitCode, 2);
    for (const member of ["title", "detail", "resolution"]) assert.ok(problem[member], `the problem has ${member}`);
  }
});

test("flags before or after the command, and a base URL with a path and a slash", async (t) => {
  /** @type {(string | undefined)[]} */
  const asked = [];
  const url = await serve(t, (request, response) => {
    asked.push(request.url);
    response.setHeader("Content-Type", "application/json").end(BODY);
  });
  const before = await run(["--json", "--base-url", url, "--timeout=5", "product"]);
  const after = await run(["product", "--timeout", "5", `--base-url=${url}/`, "--json"]);
  const deeper = await run(["product", "--json", "--base-url", `${url}/at/`]);
  assert.deepEqual([before, after, deeper].map(({ code, stdout }) => [code, stdout]), Array(3).fill([0, BODY]));
  assert.deepEqual(asked, ["/api/v1/marketing", "/api/v1/marketing", "/at/api/v1/marketing"]);
});

test("the base URL comes from the environment, and the flag takes precedence", async (t) => {
  const url = await serve(t, (_, response) => response.setHeader("Content-Type", "application/json").end(BODY));
  assert.equal((await run(["product"], { [BASE_URL_VARIABLE]: url })).code, 0);
  assert.equal((await run(["product", "--base-url", url], { [BASE_URL_VARIABLE]: "nonsense" })).code, 0);
  const wrong = await run(["product"], { [BASE_URL_VARIABLE]: "nonsense" });
  assert.equal(wrong.code, 2);
  assert.ok(wrong.stderr.includes(BASE_URL_VARIABLE));
  for (const flag of ["--help", "--version"]) assert.equal((await run([flag], { [BASE_URL_VARIABLE]: "nonsense" })).code, 0);
});
