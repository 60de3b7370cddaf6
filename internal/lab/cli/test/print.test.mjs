/** The output for people and programs. */

import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { BODY, bodyWith } from "./helper/facts.mjs";
import { serve } from "./helper/listen.mjs";
import { preload, run } from "./helper/run.mjs";
import { stamp } from "./helper/stamp.mjs";

const PRICING = JSON.parse(BODY).pricing;
const TERMINAL = preload("terminal");

/**
 * @param {import("node:test").TestContext} t
 * @param {string} body
 */
function serveBody(t, body) {
  return serve(t, (_, response) => response.setHeader("Content-Type", "application/json").end(body));
}

/**
 * @param {import("node:test").TestContext} t
 * @param {string[]} args
 * @param {string} [body]
 * @param {{[name: string]: string}} [env]
 * @param {string[]} [nodeFlags]
 */
async function printed(t, args, body = BODY, env = {}, nodeFlags = []) {
  const ending = await run([...args, "--base-url", await serveBody(t, body)], env, nodeFlags);
  assert.equal(ending.stderr, "");
  assert.equal(ending.code, 0);
  return ending.stdout;
}

test("product, as a page", async (t) => {
  assert.equal(
    await printed(t, ["product"]),
    `Parley
https://parley.example

Parley is a sales-coaching product: teams rehearse the hard conversations before
they have them, and see afterwards what worked.

For
  • Sales managers who coach more people than they can listen to
  • New representatives

What it does
  • Roleplays with a spoken counterpart
  • Feedback by the team's own scorecard
  • 通話の分析と、次の一歩の提案

Plans, monthly prices in EUR
  Starter €49 · チーム 👩‍💻 €199.50 · Enterprise €1,499

Links
  docs     https://parley.example/docs
  signUp   https://app.parley.example/join
  contact  hello@parley.example
`,
  );
});

test("pricing, as a table with aligned wide characters", async (t) => {
  assert.equal(
    await printed(t, ["pricing"]),
    `Parley: plans and prices

Plan        Monthly price  Credits
──────────  ─────────────  ───────
Starter               €49      100
チーム 👩‍💻         €199.50    1,200
Enterprise         €1,499   25,000

One credit is one roleplay of up to ten minutes.

Currency        EUR
Billing period  month
Sales reps      Unlimited
More            https://parley.example/pricing
`,
  );
});

test("pricing shows optional details of plans, and ignores details of another shape", async (t) => {
  const plans = [
    { name: "Free", monthlyPrice: 0, includedCredits: 0, note: "To look around.", features: ["One shelf"], link: "https://parley.example/free" },
    { name: "Team", monthlyPrice: 9, includedCredits: 0, yearlyPrice: 90, highlight: true, note: 7, features: "all", link: "nowhere" },
  ];
  const onRequest = [{ name: "Large", note: "For many.", features: ["A contract"], link: "mailto:ask@parley.example" }];
  assert.equal(
    await printed(t, ["pricing"], bodyWith({ pricing: { ...PRICING, unlimitedReps: false, plans, onRequest } })),
    `Parley: plans and prices

Plan  Monthly price  Yearly price
────  ─────────────  ────────────
Free             €0
Team             €9           €90

Free
  To look around.
  • One shelf
  https://parley.example/free

Large: price on request
  For many.
  • A contract
  mailto:ask@parley.example

Currency        EUR
Billing period  month
Sales reps      Limited
More            https://parley.example/pricing
`,
  );
  const others = await printed(t, ["pricing"], bodyWith({ pricing: { ...PRICING, onRequest: "ask us" } }));
  assert.equal(others, await printed(t, ["pricing"], bodyWith({ pricing: PRICING })));
});

test("limits have the site's own names, if it has any", async (t) => {
  const tool = await stamp("en", { NAMED: ["unlimitedTeams"], CANNOT: ["It cannot brew beer."] });
  t.after(() => rmSync(path.dirname(tool), { recursive: true }));
  const { stdout } = await run(["pricing", "--base-url", await serveBody(t, BODY)], {}, [], tool);
  assert.match(stdout, /^People +Unlimited\nTeams +Limited$/m);
  const refused = await run(["brew"], {}, [], tool);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /only reads public information: It cannot brew beer\./);
  assert.match((await run(["help"], {}, [], tool)).stdout, /It\s+cannot\s+brew\s+beer\./);
});

test("signup, as the offer, numbered steps, and links", async (t) => {
  assert.equal(
    await printed(t, ["signup"]),
    `Getting started with Parley

Twenty credits, free of charge, for every new team.

  1. Open the sign-up page
  2. Name your team
  3. Invite a colleague

Links
  demo    https://parley.example/demo
  docs    https://parley.example/docs
  signUp  https://app.parley.example/join

This tool creates nothing; use the links.
`,
  );
});

test("missing parts leave no gaps", async (t) => {
  const bare = bodyWith({ audience: [], capabilities: [], links: {}, gettingStarted: undefined, pricing: { ...PRICING, plans: [] } });
  assert.doesNotMatch(await printed(t, ["product"], bare), /For|What it does|Plans/);
  assert.match(await printed(t, ["pricing"], bare), /No plans are published\./);
  assert.equal(await printed(t, ["signup"], bare), "Getting started with Parley\n\nThis tool creates nothing; use the links.\n");
  assert.deepEqual(JSON.parse(await printed(t, ["signup", "--json"], bare)), { links: {} });
});

test("a narrow table has narrower names, then becomes a list", async (t) => {
  const pricing = { ...PRICING, plans: [{ name: "A plan with quite a long name", monthlyPrice: 5, includedCredits: 1 }] };
  const body = bodyWith({ pricing });
  const narrow = await printed(t, ["pricing"], body, { COLUMNS: "36" });
  assert.ok(
    narrow.includes(
      `Plan          Monthly price  Credits
────────────  ─────────────  ───────
A plan with              €5        1
quite a long
name
`,
    ),
    narrow,
  );
  const list = await printed(t, ["pricing"], body, { COLUMNS: "28" });
  assert.ok(list.includes("A plan with quite a long\nname\n  Monthly price: €5\n  Credits: 1\n"), list);
});

test("no line is wider than the terminal, except for unbreakable words", async (t) => {
  for (const columns of ["20", "40", "72", "80", "200"]) {
    for (const command of ["product", "pricing", "signup", "help"]) {
      const text = await printed(t, [command], BODY, { COLUMNS: columns });
      const long = text.split("\n").filter((line) => columnsOf(line) > Math.min(80, Number(columns)));
      // Such a line is a single word, with or without a bullet or number, or a line to copy.
      for (const line of long) assert.match(line, /^ *(• |\d+\. )?\S+$|^ {2}node /, `${command} at ${columns}`);
    }
  }
});

/** @param {string} line */
function columnsOf(line) {
  return [...line].length + (line.match(/[\u3041-\u9fff]/gu) ?? []).length;
}

test("Japanese lines break between characters, but not before a closing mark", async (t) => {
  const text = await printed(t, ["product"], bodyWith({ description: "営業の会話を、練習する。" }), { COLUMNS: "12" });
  assert.ok(text.includes("営業の会話\nを、練習す\nる。\n"), text);
});

test("without COLUMNS, the width is the terminal's", async (t) => {
  const text = await printed(t, ["product"], BODY, { TEST_TERMINALS: "stdout", TEST_COLUMNS: "40", NO_COLOR: "1" }, TERMINAL);
  assert.ok(text.includes("Parley is a sales-coaching product:\nteams rehearse"), text);
});

/** The expected prices. The site's pages must show the same prices. */
const MONEY = readFileSync(new URL("../../../locale/testdata/money.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => line.replaceAll("_", "\u00a0").split("\t"));

for (const [site, rows] of Map.groupBy(MONEY, ([language, currency]) => `${language} ${currency}`)) {
  test(`prices have the format of the site in ${site}`, async (t) => {
    const [language, currency] = site.split(" ");
    const tool = await stamp(language, {}, currency);
    t.after(() => rmSync(path.dirname(tool), { recursive: true }));
    for (const [, , amount, shown] of rows) {
      const plans = [{ name: "P", monthlyPrice: "AMOUNT", includedCredits: 3 }];
      const body = bodyWith({ pricing: { ...PRICING, currency, plans } }).replace('"AMOUNT"', amount);
      const url = await serveBody(t, body);
      const { stdout, stderr } = await run(["pricing", "--base-url", url], {}, [], tool);
      assert.equal(stderr, "");
      assert.match(stdout, new RegExp(`^P +${shown.replaceAll("$", "\\$")} +[3۳]$`, "m"), `${amount} ${currency}`);
    }
  });
}

test("product --json is the body as served, including unknown members", async (t) => {
  assert.equal(await printed(t, ["product", "--json"]), BODY);
  const dense = bodyWith({});
  assert.equal(await printed(t, ["product", "--json"], dense), dense + "\n");
});

test("pricing and signup --json are parts of the document, with numbers as written", async (t) => {
  const pricing = await printed(t, ["pricing", "--json"]);
  assert.deepEqual(JSON.parse(pricing), PRICING);
  assert.ok(pricing.includes('"monthlyPrice": 199.50,'));
  const { gettingStarted, links } = JSON.parse(BODY);
  assert.deepEqual(JSON.parse(await printed(t, ["signup", "--json"])), { gettingStarted, links });
});

/** Sequences that a terminal might interpret, one of each kind. */
const ATTACKS = [
  "\u001b[2J", "\u001b]0;owned\u0007", "\u001b]8;;https://evil.example\u001b\\", "\u009b31m", "\u009d0;owned\u009c", "\u001bc",
  "\u001bP1$r\u001b\\", "\u0090x\u009c", "\b\b\b", "\rover", "\u007f", "\u202eright", "\u001b\u001b[A[A", "a\nb", "\u0000", "\u000e", "\u2028",
].join("*");

test("text from the server can neither move the cursor nor set the title", async (t) => {
  const body = bodyWith({
    name: ATTACKS, description: ATTACKS, audience: [ATTACKS], capabilities: [ATTACKS],
    links: { [ATTACKS]: "https://x.example" }, gettingStarted: { offer: ATTACKS, steps: [ATTACKS] },
    pricing: {
      ...PRICING, currency: ATTACKS, billingPeriod: ATTACKS, creditDefinition: ATTACKS,
      plans: [{ name: ATTACKS, monthlyPrice: 1, includedCredits: 1 }],
    },
  });
  for (const command of ["product", "pricing", "signup"]) {
    const page = await printed(t, [command], body);
    assert.doesNotMatch(page, /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/);
    assert.doesNotMatch(page, /owned|evil|31m|\[2J/);
    const document = await printed(t, [command, "--json"], body);
    assert.doesNotMatch(document, /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  }
  assert.deepEqual(JSON.parse(await printed(t, ["product", "--json"], body)), JSON.parse(body));
});

for (const member of ["url", "contact", "pricing.url", "gettingStarted.demo", "links.more"]) {
  test(`a ${member} with terminal control characters is not product information`, async (t) => {
    const [outer, inner] = member.split(".");
    const body = bodyWith({ [outer]: inner ? { ...JSON.parse(BODY)[outer], [inner]: ATTACKS } : ATTACKS });
    const { code, stderr } = await run(["product", "--base-url", await serveBody(t, body)]);
    assert.equal(code, 6);
    assert.ok(stderr.includes(`: ${member} is not an `), stderr);
  });
}

test("--json keeps unknown members with any name", async (t) => {
  const extra = { offer: "o", links: { more: 1 }, gettingStarted: [2.50] };
  const body = bodyWith({ gettingStarted: extra, pricing: { ...PRICING, links: 3, plans: [] } });
  const { links, pricing } = JSON.parse(body);
  assert.deepEqual(JSON.parse(await printed(t, ["signup", "--json"], body)), { gettingStarted: extra, links });
  assert.deepEqual(JSON.parse(await printed(t, ["pricing", "--json"], body)), pricing);
});

test("a carriage return between members cannot overwrite a line", async (t) => {
  const document = await printed(t, ["product", "--json"], BODY.replace(/\n/g, "\r"));
  assert.equal(document, BODY);
});

test("incomplete escape sequences take linear time", async (t) => {
  /** @param {string} part */
  const took = async (part) => {
    const began = Date.now();
    await printed(t, ["product"], bodyWith({ description: part.repeat(100_000) }));
    return Date.now() - began;
  };
  const plain = await took("ab");
  for (const part of ["\u001b]", "\u009d", "\u001b[", "\u001b[0", "\u001b "]) {
    // Allow ten times as long as for plain text of the same length, plus 5 seconds for other load. Quadratic time would
    // be minutes.
    assert.ok((await took(part)) < 10 * plain + 5000, JSON.stringify(part));
  }
});

/** @type {[env: {[name: string]: string}, out: boolean, err: boolean][]} */
const COLORS = [
  [{}, false, false],
  [{ TEST_TERMINALS: "stdout" }, true, false],
  [{ TEST_TERMINALS: "stderr" }, false, true],
  [{ TEST_TERMINALS: "stdout,stderr" }, true, true],
  [{ TEST_TERMINALS: "stdout,stderr", TERM: "dumb" }, false, false],
  [{ TEST_TERMINALS: "stdout,stderr", NO_COLOR: "1" }, false, false],
  [{ TEST_TERMINALS: "stdout,stderr", NO_COLOR: "" }, true, true],
  [{ TEST_TERMINALS: "stdout,stderr", FORCE_COLOR: "0" }, false, false],
  [{ FORCE_COLOR: "1" }, true, true],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true, true],
];

for (const [env, out, err] of COLORS) {
  test(`color with ${JSON.stringify(env)}: stdout ${out}, stderr ${err}`, async (t) => {
    const page = await printed(t, ["product"], BODY, env, TERMINAL);
    assert.equal(page.includes("\u001b["), out);
    const mistake = await run(["prodct"], env, TERMINAL);
    assert.equal(mistake.stderr.includes("\u001b["), err);
    const document = await printed(t, ["product", "--json"], BODY, env, TERMINAL);
    assert.equal(document, BODY);
  });
}

/** A feed of changes as a build writes it. */
const FEED = `{
  "version": "https://jsonfeed.org/version/1.1",
  "title": "Parley: Changes",
  "_history": { "complete": true, "since": "2026-01-01T00:00:00Z" },
  "items": [
    { "id": "b", "title": "pricing.plans.Team.monthlyPrice: 49 → 49.50", "date_published": "2026-10-02T08:00:00Z",
      "_fact": { "path": "pricing.plans.Team.monthlyPrice", "old": 49, "new": 49.50 } },
    { "id": "a", "title": "capabilities", "date_published": "2026-09-30T23:00:00Z",
      "_fact": { "path": "capabilities", "new": "Private \\u001b[31mpractice" } }
  ]
}`;

/**
 * @param {import("node:test").TestContext} t
 * @param {string[]} args
 * @param {string} [feed]
 */
async function changes(t, args, feed = FEED) {
  const base = await serve(t, (request, response) => {
    const known = request.url === "/changes.json";
    response.writeHead(known ? 200 : 404, { "Content-Type": "application/feed+json; charset=utf-8" }).end(known ? feed : "");
  });
  return run(["changes", ...args, "--base-url", base]);
}

test("changes, grouped by day, with both values as written", async (t) => {
  const { code, stdout, stderr } = await changes(t, []);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.match(
    stdout,
    /: changes in the facts\n\n2026-10-02\n  pricing\.plans\.Team\.monthlyPrice\n    49 → 49\.50\n\n2026-09-30\n  capabilities\n    – → Private practice\n$/,
  );
});

test("changes --since a day, as data", async (t) => {
  const { stdout } = await changes(t, ["--since", "2026-10-01", "--json"]);
  assert.ok(stdout.includes('"new": 49.50'), "the number is unchanged");
  assert.deepEqual(JSON.parse(stdout), {
    complete: true,
    since: "2026-01-01T00:00:00Z",
    changes: [{ date: "2026-10-02T08:00:00Z", fact: "pricing.plans.Team.monthlyPrice", old: 49, new: 49.5 }],
  });
  const none = await changes(t, ["--since", "2026-10-02T08:00:01Z"]);
  assert.match(none.stdout, /No changes are known\.\n$/);
});

test("changes report an incomplete history", async (t) => {
  const { stdout } = await changes(t, [], FEED.replace('"complete": true', '"complete": false'));
  assert.match(stdout, /is incomplete/);
});

for (const [args, message] of [
  [["changes", "--since", "2026-02-31"], /not a date: 2026-02-31/],
  [["changes", "--since", "yesterday"], /not a date/],
  [["pricing", "--since", "2026-10-01"], /belongs to the command changes/],
]) {
  test(`--since is rejected: ${JSON.stringify(args)}`, async () => {
    const { code, stderr } = await run(/** @type {string[]} */ (args));
    assert.equal(code, 2);
    assert.match(stderr, /** @type {RegExp} */ (message));
  });
}

test("an invalid feed is an error", async (t) => {
  const { code, stderr } = await changes(t, [], '{"items": [{}]}');
  assert.equal(code, 6);
  assert.match(stderr, /not a feed of changes: version is missing/);
});
