#!/usr/bin/env node
/**
 * Reads the public information about one product from its website and prints it, for people or as JSON. It needs only Node.js
 * 22. It doesn't sign in, send data, or change anything.
 *
 * The parts of the file are in the order of a run: arguments, fetch, cache, print.
 *
 * An older Node must reach the last lines, which print the required version. So the file uses only ES2019 syntax, doesn't use
 * newer globals before those lines, and imports modules without `node:`.
 */

import crypto from "crypto";
import fs from "fs";
import http from "http";
import https from "https";
import net from "net";
import os from "os";
import path from "path";
import util from "util";

// The build replaces these strings.
/** @type {string} */ const BASE_URL = "@BASE_URL@";
/** @type {string} */ const NAME = "@NAME@";
/** @type {string} */ const VERSION = "@VERSION@";
/** @type {string} */ const PRODUCT = "@PRODUCT@";
/** The number format of the site's language. */
/** @type {{[key: string]: any}} */ const FORMS = /** @type {any} */ ("@FORMS@");
/** @type {{[key: string]: string}} */ const WORDS = /** @type {any} */ ("@WORDS@"); // the site's words, by the theme's keys
/** @type {string[]} */ const LIMITS_NAMED = /** @type {any} */ ("@NAMED@"); // keys of limits that the site renames
/** @type {string[]} */ const SITE_CANNOT = /** @type {any} */ ("@CANNOT@"); // sentences from the site

const OLDEST_NODE = 22;

const FRESH_MS = 5 * 60 * 1000;
const LARGEST_BODY = 1024 * 1024;
const MOST_REDIRECTS = 5;
const DEFAULT_TIMEOUT = 10; // seconds, like the limits below
const LONGEST_TIMEOUT = 3600;
const LONGEST_WAIT = 3600;
const ALLOWANCE_WINDOW = 60; // the wait if a 429 has no Retry-After
const LONGEST_REFUSAL = 1e9; // far above real values, and still printed as digits
const REFUSING = [429, 503]; // the statuses whose Retry-After is remembered

const BASE_URL_VARIABLE = variableName(NAME) + "_BASE_URL";

/**
 * @typedef {object} Plan
 * @property {string} name
 * @property {number} monthlyPrice
 * @property {number} includedCredits
 * @property {number} [yearlyPrice]
 * @property {string} price  the monthly price in the site's format, which pageFor adds
 * @property {string} yearly  the yearly price in the site's format, or ""
 * @property {string} [note]
 * @property {string[]} [features]
 * @property {string} [link]
 *
 * @typedef {object} Inquiry  a plan without a published price
 * @property {string} name
 * @property {string} [note]
 * @property {string[]} [features]
 * @property {string} [link]
 *
 * @typedef {object} Pricing
 * @property {string} currency  an ISO 4217 code
 * @property {string} billingPeriod
 * @property {string} creditDefinition
 * @property {boolean} unlimitedReps
 * @property {boolean} unlimitedTeams
 * @property {Plan[]} plans
 * @property {Inquiry[]} [onRequest]
 * @property {string} url
 *
 * @typedef {object} Product  the known members of ProductInformation
 * @property {string} name
 * @property {string} url
 * @property {string} description
 * @property {string[]} audience
 * @property {string[]} capabilities
 * @property {Pricing} pricing
 * @property {{offer?: string, steps?: string[], demo?: string}} [gettingStarted]
 * @property {string} contact
 * @property {{[key: string]: string}} links
 *
 * @typedef {object} Wish  the parsed command line
 * @property {string} command
 * @property {string} topic  the command to show help for, or ""
 * @property {boolean} json
 * @property {string} baseURL  without a trailing slash
 * @property {string} since  the day or time of the oldest changes to show, or ""
 * @property {number} timeout  seconds
 * @property {boolean} cache
 * @property {boolean} wait
 *
 * @typedef {object} Changes  the known members of the feed of changes
 * @property {string} version
 * @property {{complete?: boolean, since?: string, updated?: string}} [_history]
 * @property {{title: string, date_published: string, _fact?: {path: string, old?: any, new?: any}}[]} items
 *
 * @typedef {object} Source  the resource that a command reads
 * @property {string} path
 * @property {string} type  its media type
 * @property {(text: string) => unknown} check  throws if the text is invalid
 *
 * @typedef {object} Answer  the server's response, after redirects
 * @property {string} url
 * @property {number} status
 * @property {http.IncomingHttpHeaders} headers
 * @property {Buffer} body  empty if it isn't needed
 *
 * @typedef {object} Kept  the cache entry of a deployment; times are milliseconds since 1970
 * @property {string} text  the body of the last response, or ""
 * @property {string} etag  the ETag of the last response, or ""
 * @property {number} savedAt
 * @property {Refusal} [refusal]
 *
 * @typedef {object} Refusal  a status with Retry-After: the client must not send another request until then
 * @property {number} status
 * @property {number} at
 * @property {number} until
 *
 * @typedef {object} Page  the properties of the output
 * @property {number} width  columns
 * @property {Ink} ink
 *
 * @typedef {{[style in "bold" | "dim" | "red" | "yellow"]: (text: string) => string}} Ink
 *
 * @typedef {object} Voice  the messages on stderr
 * @property {(text: string) => void} notice
 * @property {(failure: Failure) => void} failure
 */

// ---------------------------------------------------------------- commands

const COMMANDS = [
  {
    name: "product",
    summary: "what the product is, for whom, and what it does",
    more: "With --json: the document as the server sent it, including members that this tool does not know.",
  },
  {
    name: "pricing",
    summary: "the published plans and their prices",
    more: "With --json: the pricing member of the document.",
  },
  {
    name: "signup",
    summary: "how to start: the offer, the steps, and the links",
    more: "It creates nothing. With --json: the members gettingStarted and links of the document.",
  },
  {
    name: "changes",
    summary: "the changes in the facts; --since DATE for those since a date",
    more: "The newest first, each with its date, its old value, and its new value. With --json: the same as data.",
  },
  {
    name: "help",
    summary: "this help, or the help for one command (help pricing)",
    more: "With --json: the commands, flags, environment variables, and exit codes as data.",
  },
];

const FLAGS = [
  { name: "json", value: "", meaning: "one JSON document on stdout; one JSON object per line on stderr, with errors as problems" },
  { name: "since", value: "DATE", meaning: "with changes: only changes since this date or time, such as 2026-10-01" },
  { name: "base-url", value: "URL", meaning: "read another deployment (http or https)" },
  { name: "timeout", value: "SECONDS", meaning: `time limit for a response (default ${DEFAULT_TIMEOUT})` },
  { name: "no-cache", value: "", meaning: "neither use nor store cached responses and Retry-After times" },
  { name: "wait", value: "", meaning: "if the request allowance is exhausted, wait for the Retry-After time and try again once" },
  { name: "help", value: "", meaning: "this help (also -h)" },
  { name: "version", value: "", meaning: "the name and version of this tool" },
];

const ENVIRONMENT = [
  { name: BASE_URL_VARIABLE, meaning: "another deployment, if --base-url is not set" },
  { name: "NO_COLOR, FORCE_COLOR", meaning: "never color, always color (FORCE_COLOR takes precedence; 0 means never)" },
  { name: "COLUMNS", meaning: "the width of the output" },
  { name: "XDG_CACHE_HOME", meaning: "the folder of the cache (default: the platform's cache folder)" },
  {
    name: "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY",
    meaning: "the proxy, http://HOST:PORT or https://HOST:PORT, with Node.js 22.21, 24.5, or later (NODE_USE_ENV_PROXY=0 disables it)",
  },
];

/** The exit codes. The documentation page has a heading for each code that comes with a message. */
const EXITS = {
  done: { code: 0, title: "Success" },
  broken: { code: 1, title: "Node.js is too old, the output could not be written, or the tool has a bug" },
  usage: { code: 2, title: "The command line or an environment variable is invalid" },
  network: { code: 3, title: "No response: the network failed or the time limit was reached" },
  refusal: { code: 4, title: "The server responded with an error" },
  exhausted: { code: 5, title: "The request allowance is exhausted" },
  content: { code: 6, title: "The response is not product information" },
  interrupted: { code: 130, title: "Interrupted by Ctrl-C" },
};

const LIMITS = [
  "It reads public information, without an account or a key.",
  "It cannot sign in or create accounts, buy plans, or read private data.",
  ...SITE_CANNOT,
].join(" ");

/** Actions that users may try but that the tool doesn't support, each with the words that users may enter. */
const REFUSALS = [
  { cannot: "sign in or create accounts", words: "account accounts auth login logout register signin sign-in" },
  { cannot: "buy plans", words: "buy checkout order pay purchase subscribe upgrade" },
  { cannot: "read private data", words: "customer customers data user users" },
];

/** An error that ends the run and is shown to the user. */
class Failure extends Error {
  /**
   * @param {"broken" | "usage" | "network" | "refusal" | "exhausted" | "content"} kind
   * @param {string} detail  the problem
   * @param {string} resolution  the advice
   * @param {{[member: string]: unknown}} [members]  additional members of the JSON problem
   */
  constructor(kind, detail, resolution, members) {
    super(detail);
    this.kind = kind;
    this.detail = detail;
    this.resolution = resolution;
    this.members = members || {};
  }
}

/** Thrown if Ctrl-C ends the run. It needs no message. */
class Interruption extends Error {}

// ------------------------------------------------------------------------- main

/**
 * @param {string[]} args  without the interpreter and the file
 * @param {Voice} voice
 * @param {AbortSignal} interrupt
 * @returns {Promise<number>} the exit code
 */
async function main(args, voice, interrupt) {
  try {
    const wish = readArguments(args, process.env);
    process.stdout.write(await carryOut(wish, voice, interrupt));
    return EXITS.done.code;
  } catch (error) {
    if (error instanceof Interruption) return EXITS.interrupted.code;
    const failure = error instanceof Failure ? error : ownFault(error);
    voice.failure(failure);
    return EXITS[failure.kind].code;
  }
}

/** @param {any} error  an unexpected error */
function ownFault(error) {
  const advice = `download the newest file from ${BASE_URL}/cli; if that fails too, report it`;
  return new Failure("broken", `the tool has a bug: ${(error && error.stack) || error}`, advice);
}

/**
 * @param {Wish} wish
 * @param {Voice} voice
 * @param {AbortSignal} interrupt
 * @returns {Promise<string>} the data for stdout
 */
async function carryOut(wish, voice, interrupt) {
  const page = newPage(process.stdout);
  switch (wish.command) {
    case "version":
      return wish.json ? toJSON({ name: NAME, version: VERSION }) : `${NAME} ${VERSION}\n`;
    case "help":
      return wish.json ? toJSON(helpDocument()) : helpPage(wish.topic, page);
    case "changes": {
      const text = await obtain(wish, SOURCES.changes, voice, interrupt);
      return wish.json ? toJSON(changesDocument(text, wish.since)) : changesPage(text, wish.since, page).join("\n") + "\n";
    }
    default: {
      const text = await obtain(wish, SOURCES.product, voice, interrupt);
      return wish.json ? documentFor(wish.command, text) : pageFor(wish.command, text, page);
    }
  }
}

// -------------------------------------------------------------------- arguments

/**
 * Reports whether the arguments contain --json. Usage errors are JSON too, so this must be known before the arguments are parsed.
 *
 * @param {string[]} args
 */
function asksForJSON(args) {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? args.length : end).includes("--json");
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Wish}
 */
function readArguments(args, env) {
  const { words, flags } = separate(args);
  const [command, topic] = chooseCommand(words, flags);
  return {
    command,
    topic,
    json: flags.has("json"),
    // Help works even if the variable is invalid.
    baseURL: chooseBaseURL(flags, command === "help" || command === "version" ? {} : env),
    since: chooseSince(flags, command),
    timeout: chooseTimeout(flags),
    cache: !flags.has("no-cache"),
    wait: flags.has("wait"),
  };
}

/**
 * Separates flags from words, in any order. The parser isn't strict, because its own errors make no suggestions.
 *
 * @param {string[]} args
 * @returns {{words: string[], flags: Map<string, string>}}
 */
function separate(args) {
  /** @type {{[name: string]: {type: "string" | "boolean", short?: string}}} */
  const options = {};
  for (const flag of FLAGS) options[flag.name] = { type: flag.value ? "string" : "boolean" };
  options.help.short = "h";

  const words = [];
  const flags = new Map();
  for (const token of util.parseArgs({ args, options, strict: false, tokens: true }).tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind === "option") flags.set(token.name, flagValue(token));
  }
  return { words, flags };
}

/**
 * @param {{name: string, rawName: string, value?: string, inlineValue?: boolean}} token
 * @returns {string} "" for a flag without a value
 */
function flagValue(token) {
  const flag = FLAGS.find((known) => known.name === token.name);
  if (!flag) throw unknown("flag", token.rawName);
  if (!flag.value) {
    if (token.value === undefined) return "";
    throw new Failure("usage", `${token.rawName} takes no value`, `write ${token.rawName} alone`);
  }
  // In `--base-url --json` the value is missing: a flag isn't a value.
  if (!token.value || (!token.inlineValue && token.value.startsWith("-"))) {
    throw new Failure("usage", `${token.rawName} needs a value`, `write ${token.rawName} ${flag.value}`);
  }
  return token.value;
}

/**
 * @param {string[]} words
 * @param {Map<string, string>} flags
 * @returns {[command: string, topic: string]}
 */
function chooseCommand(words, flags) {
  for (const word of words) {
    if (!COMMANDS.some((command) => command.name === word)) throw refusalOf(word) || unknown("command", word);
  }
  const topics = words.filter((word) => word !== "help");
  const wantsHelp = flags.has("help") || topics.length < words.length;
  if (topics.length > 1) {
    throw new Failure("usage", `one command at a time: ${topics.join(" or ")}?`, "run the tool once for each");
  }
  if (flags.has("version") && !wantsHelp) return ["version", ""];
  if (wantsHelp || topics.length === 0) return ["help", topics[0] || ""];
  return [topics[0], ""];
}

/**
 * @param {string} word
 * @returns {Failure | undefined}
 */
function refusalOf(word) {
  const tried = word.toLowerCase();
  const refusal = REFUSALS.find((candidate) => candidate.words.split(" ").includes(tried));
  // If the site states that it can't do this, quote its sentence.
  const sentence = SITE_CANNOT.find((said) => tried.length > 3 && said.toLowerCase().split(/[^\p{L}\p{N}-]+/u).includes(tried));
  if (!refusal && !sentence) return undefined;
  return new Failure(
    "usage",
    refusal ? `${NAME} cannot ${refusal.cannot}: it only reads public information` : `${NAME} only reads public information: ${clean(sentence || "")}`,
    `run signup to see how to start, or open ${BASE_URL}`,
  );
}

/**
 * @param {Map<string, string>} flags
 * @param {NodeJS.ProcessEnv} env
 */
function chooseBaseURL(flags, env) {
  const given = flags.get("base-url");
  if (given) return checkBaseURL(given, "--base-url");
  const variable = env[BASE_URL_VARIABLE];
  if (variable) return checkBaseURL(variable, BASE_URL_VARIABLE);
  return BASE_URL;
}

/**
 * @param {string} text
 * @param {string} source  the flag or the variable, for the message
 */
function checkBaseURL(text, source) {
  // The value may contain a password, so don't print it.
  const shown = text.includes("@") ? "" : `: ${text}`;
  /** @param {string} fault */
  const wrong = (fault) => new Failure("usage", `${source}: ${fault}${shown}`, `write it in the form ${BASE_URL}`);
  let url;
  try {
    url = new URL(text);
  } catch {
    throw wrong("not an absolute URL");
  }
  if (url.username || url.password) throw wrong("the interface is anonymous; omit the user name and the password");
  if (!isWeb(url)) throw wrong("neither http nor https");
  if (url.search || url.hash) throw wrong("a base URL must not contain ? or #");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/**
 * @param {Map<string, string>} flags
 * @param {string} command
 */
function chooseSince(flags, command) {
  const given = flags.get("since");
  if (given === undefined) return "";
  if (command !== "changes" && command !== "help") {
    throw new Failure("usage", "--since belongs to the command changes", `write changes --since ${given}`);
  }
  const [, day = ""] = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(given) || [];
  // Date.parse reads the 31st of February as the 3rd of March.
  const real = day !== "" && !Number.isNaN(Date.parse(given)) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  if (real) return given;
  throw new Failure("usage", `--since: not a date: ${given}`, "write a date such as 2026-10-01, or a time such as 2026-10-01T09:30:00Z");
}

/** @param {Map<string, string>} flags */
function chooseTimeout(flags) {
  const given = flags.get("timeout");
  if (given === undefined) return DEFAULT_TIMEOUT;
  const seconds = /^\d*\.?\d+$/.test(given) ? Number(given) : 0;
  if (seconds > 0 && seconds <= LONGEST_TIMEOUT) return seconds;
  const detail = `--timeout: not a number of seconds above 0 and up to ${LONGEST_TIMEOUT}: ${given}`;
  throw new Failure("usage", detail, "write, for example, --timeout 30");
}

/**
 * @param {"command" | "flag"} what
 * @param {string} word
 */
function unknown(what, word) {
  const commands = COMMANDS.map((command) => command.name);
  const flags = FLAGS.map((flag) => "--" + flag.name);
  const known = what === "command" ? commands : flags;
  // `version` and `--pricing` confuse commands with flags.
  const near = nearest(word, [...known, ...commands, ...flags]);
  return new Failure(
    "usage",
    `unknown ${what} ${JSON.stringify(word)}` + (near ? `; did you mean ${near}?` : ""),
    `the ${what}s are ${known.join(", ")}; run help for their descriptions`,
  );
}

/**
 * @param {string} word
 * @param {string[]} known
 * @returns {string | undefined} the word that was probably meant
 */
function nearest(word, known) {
  /** @param {string} text */
  const bare = (text) => text.slice(0, 32).replace(/^-+/, "").toLowerCase();
  const meant = bare(word);
  const begun = known.find((candidate) => meant && bare(candidate).startsWith(meant));
  if (begun) return begun;
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(meant, bare(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  return best.distance <= bare(best.candidate).length / 2 ? best.candidate : undefined;
}

/**
 * Returns the number of omitted, inserted, changed, or swapped characters.
 *
 * @param {string} a
 * @param {string} b
 */
function editDistance(a, b) {
  /** @type {number[][]} */
  const rows = [];
  for (let i = 0; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      if (i === 0) {
        rows[0].push(j);
        continue;
      }
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + change);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, rows[i - 2][j - 2] + 1);
      rows[i].push(least);
    }
  }
  return rows[a.length][b.length];
}

/**
 * Returns the prefix of the tool's environment variables: ACORN for acorn.
 *
 * @param {string} name
 */
function variableName(name) {
  return name.toUpperCase().replace(/[^A-Z0-9]+/g, "_").replace(/^(?=\d)/, "_");
}

// ------------------------------------------------------------------------ fetch

/**
 * Returns a document as text: from the cache while it is fresh, otherwise from the server. If the network or the server fails, it
 * returns the stale document with a warning (RFC 5861, stale-if-error).
 *
 * @param {Wish} wish
 * @param {Source} source
 * @param {Voice} voice
 * @param {AbortSignal} interrupt
 */
async function obtain(wish, source, voice, interrupt) {
  const base = wish.baseURL + (source === SOURCES.product ? "" : source.path);
  const file = wish.cache ? cacheFile(base) : undefined;
  const kept = (file && readKept(file, base, source)) || { text: "", etag: "", savedAt: 0 };
  if (isFresh(kept)) return kept.text;

  /** @type {(next: Kept) => void} */
  const save = (next) => void (file && keep(file, base, next));
  try {
    const answer = await ask(wish, source, kept, save, voice, interrupt);
    const confirmed = answer.status === 304;
    const text = confirmed ? kept.text : textOf(answer, source);
    if (!/\bno-store\b/i.test(answer.headers["cache-control"] || "")) {
      save({ text, etag: confirmed ? kept.etag : answer.headers.etag || "", savedAt: Date.now() });
    }
    return text;
  } catch (error) {
    if (!kept.text || !(error instanceof Failure) || !isTemporary(error)) throw error;
    const age = Math.max(0, Math.floor((Date.now() - kept.savedAt) / 1000));
    voice.notice(`${error.detail}; using the response from ${inWords(age)} ago`);
    return kept.text;
  }
}

/**
 * Reports whether a failure is temporary. If so, an older response is better than no response. Other failures mean that
 * the address or the document is wrong, and users must see them.
 *
 * @param {Failure} failure
 */
function isTemporary({ kind, members }) {
  return kind === "network" || kind === "exhausted" || Number(members.status) >= 500;
}

/**
 * Sends a request, unless a stored Retry-After is still in effect. If --wait is set, it waits after a 429 and tries again once.
 *
 * @param {Wish} wish
 * @param {Source} source
 * @param {Kept} kept
 * @param {(next: Kept) => void} save
 * @param {Voice} voice
 * @param {AbortSignal} interrupt
 * @returns {Promise<Answer>} a 200 or, only if an ETag is stored, a 304
 */
async function ask(wish, source, kept, save, voice, interrupt) {
  /** @type {http.OutgoingHttpHeaders} */
  const headers = {
    Accept: `${source.type}, application/problem+json`,
    "Accept-Encoding": "identity",
    "User-Agent": `${NAME}/${VERSION}`.replace(/[^\w.+/-]/g, "-"),
  };
  if (kept.etag) headers["If-None-Match"] = kept.etag;
  const url = new URL(wish.baseURL + source.path);
  const send = async () => {
    const answer = await withDeadline(wish.timeout, interrupt, url, (signal) => follow(url, headers, signal));
    const seconds = retryAfter(answer.headers);
    if (REFUSING.includes(answer.status) && seconds) {
      // Save it now, because a wait may be interrupted.
      const at = Date.now();
      const until = at + Math.min(seconds, LONGEST_REFUSAL) * 1000;
      save(Object.assign({}, kept, { refusal: { status: answer.status, at, until } }));
    }
    return answer;
  };

  let answer = standingRefusal(kept, url) || (await send());
  if (answer.status === 429 && wish.wait) {
    const seconds = retryAfter(answer.headers) || ALLOWANCE_WINDOW;
    if (seconds <= LONGEST_WAIT) {
      voice.notice(`the request allowance is exhausted; trying again in ${inWords(seconds)}`);
      await pause(seconds, interrupt);
      answer = await send();
    }
  }
  if (answer.status === 200 || (answer.status === 304 && kept.etag)) return answer;
  throw failureFrom(answer, wish.wait);
}

/**
 * Returns the response that an earlier run received, if its Retry-After is still in effect.
 *
 * @param {Kept} kept
 * @param {URL} url
 * @returns {Answer | undefined}
 */
function standingRefusal({ refusal }, url) {
  const now = Date.now();
  // If the response is from the future, the clock has been set back.
  if (!refusal || now < refusal.at || now >= refusal.until) return undefined;
  const problem = { detail: "no request was sent, because the Retry-After time of an earlier response has not passed" };
  return {
    url: url.href,
    status: refusal.status,
    headers: { "retry-after": String(Math.ceil((refusal.until - now) / 1000)) },
    body: Buffer.from(JSON.stringify(problem)),
  };
}

/**
 * Runs work with a signal that fires when the time limit is reached or the run is interrupted. It then throws the
 * matching error.
 *
 * @template T
 * @param {number} seconds
 * @param {AbortSignal} interrupt
 * @param {URL} url  for the message
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withDeadline(seconds, interrupt, url, work) {
  if (interrupt.aborted) throw new Interruption();
  const end = new AbortController();
  const stop = () => end.abort();
  const timer = setTimeout(stop, seconds * 1000);
  interrupt.addEventListener("abort", stop);
  try {
    const result = await work(end.signal);
    if (interrupt.aborted) throw new Interruption(); // bodyOf ignores errors while it reads a problem
    return result;
  } catch (error) {
    if (interrupt.aborted) throw new Interruption();
    if (error instanceof Failure) throw error;
    throw networkFailure(url, end.signal.aborted ? `no complete response within ${inWords(seconds)}` : reasonOf(error));
  } finally {
    clearTimeout(timer);
    interrupt.removeEventListener("abort", stop);
  }
}

/**
 * @param {URL} start
 * @param {http.OutgoingHttpHeaders} headers
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
async function follow(start, headers, signal) {
  let url = start;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const response = await request(url, headers, signal);
    const status = response.statusCode || 0;
    const location = response.headers.location;
    if (![301, 302, 303, 307, 308].includes(status) || location === undefined) {
      return { url: url.href, status, headers: response.headers, body: await bodyOf(response) };
    }
    response.destroy();
    url = redirectTarget(location, url);
  }
  throw new Failure("refusal", `${start.href} redirects more than ${MOST_REDIRECTS} times`, "check the base URL");
}

/**
 * @param {URL} url
 * @param {http.OutgoingHttpHeaders} headers
 * @param {AbortSignal} signal
 * @returns {Promise<http.IncomingMessage>}
 */
function request(url, headers, signal) {
  return new Promise((resolve, reject) => {
    const web = url.protocol === "https:" ? https : http;
    const proxy = proxyFor(url);
    const { href = undefined } = proxy || {};
    /** @type {https.AgentOptions & {proxyEnv?: NodeJS.ProcessEnv}} */
    const settings = { proxyEnv: { http_proxy: href, https_proxy: href } };
    const asked = web.get(url, { headers, signal, agent: new web.Agent(settings) });
    asked.on("response", resolve);
    asked.on("error", reject);
    // Without these two handlers, the promise stays pending if the server switches protocols, and Node exits with 0 and no message.
    asked.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    asked.on("close", () => reject(new Error("the connection was closed without a response")));
  });
}

/**
 * @param {string} location
 * @param {URL} from
 */
function redirectTarget(location, from) {
  let url;
  try {
    url = new URL(location, from);
  } catch {
    throw new Failure("refusal", `${from.href} redirects to an invalid URL`, "check the base URL");
  }
  url.username = url.password = "";
  if (!isWeb(url) || (from.protocol === "https:" && url.protocol === "http:")) {
    throw new Failure(
      "refusal",
      `${from.href} redirects to ${url.href}, which this tool does not follow`,
      "it follows redirects only to http and https, and never from https to http; check the base URL",
    );
  }
  return url;
}

/** @param {URL} url */
function isWeb(url) {
  return url.protocol === "http:" || url.protocol === "https:";
}

/**
 * Returns the body of a response that contains the document or a problem, otherwise an empty body.
 *
 * @param {http.IncomingMessage} response
 */
async function bodyOf(response) {
  if (response.statusCode === 200) return readAll(response);
  if (mediaType(response.headers) === "application/problem+json") {
    // If the problem can't be read, the status still describes the error.
    return readAll(response).catch(() => Buffer.alloc(0));
  }
  response.destroy();
  return Buffer.alloc(0);
}

/** @param {http.IncomingMessage} response */
async function readAll(response) {
  const chunks = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw contentFailure("the response is larger than 1 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @param {http.IncomingHttpHeaders} headers */
function mediaType(headers) {
  return (headers["content-type"] || "").split(";")[0].trim().toLowerCase();
}

/**
 * Returns the document in a 200, after checking it.
 *
 * @param {Answer} answer
 * @param {Source} source
 */
function textOf(answer, source) {
  const type = mediaType(answer.headers);
  if (type !== source.type) {
    throw contentFailure(`the response from ${answer.url} has ${type ? `the type ${type}` : "no content type"} instead of ${source.type}`);
  }
  const coding = answer.headers["content-encoding"] || "identity";
  if (coding !== "identity") throw contentFailure(`the response from ${answer.url} has the content encoding ${coding}, which was not requested`);
  if (isDamaged(answer)) throw contentFailure(`the response from ${answer.url} does not match its Repr-Digest`);
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(answer.body);
  } catch {
    throw contentFailure(`the response from ${answer.url} is not UTF-8`);
  }
  source.check(text);
  return text;
}

/**
 * Reports whether a body's SHA-256 differs from its Repr-Digest (RFC 9530). It returns false if there is no such field.
 *
 * @param {Answer} answer
 */
function isDamaged({ headers, body }) {
  const said = /(?:^|,)[ \t]*sha-256=:([A-Za-z0-9+/=]*):/.exec(String(headers["repr-digest"] || ""));
  return said !== null && said[1] !== crypto.createHash("sha256").update(body).digest("base64");
}

/**
 * @param {Answer} answer
 * @param {boolean} waited  whether --wait is set
 */
function failureFrom(answer, waited) {
  const problem = problemIn(answer);
  const after = retryAfter(answer.headers);
  const members = Object.assign({}, problem, { status: answer.status }, after ? { retryAfter: after } : {});
  const reason = problem.detail || problem.title || http.STATUS_CODES[answer.status] || "an unknown status";
  const detail = `${answer.url} returned ${answer.status}: ${reason}`;
  if (answer.status === 429) {
    const seconds = after || ALLOWANCE_WINDOW;
    const offer = seconds <= LONGEST_WAIT && !waited ? ", or use --wait" : "";
    return new Failure("exhausted", detail, retryAdvice(seconds) + offer, Object.assign(members, { retryAfter: seconds }));
  }
  const later = after ? retryAdvice(after) : "try again later";
  const advice = answer.status < 500 ? "check the base URL" : `the server has a problem; ${later}`;
  return new Failure("refusal", detail, problem.resolution || advice, members);
}

/**
 * @param {Answer} answer
 * @returns {{[member: string]: any}} empty if the server sent no problem
 */
function problemIn(answer) {
  try {
    const problem = JSON.parse(answer.body.toString("utf8"));
    if (!isObject(problem)) return {};
    for (const name of ["type", "title", "detail", "resolution"]) {
      if (typeof problem[name] !== "string") delete problem[name];
    }
    return problem;
  } catch {
    return {};
  }
}

/** @param {number} seconds */
function retryAdvice(seconds) {
  const clock = seconds < 86400 ? `, after ${new Date(Date.now() + seconds * 1000).toTimeString().slice(0, 8)}` : "";
  return `try again in ${inWords(seconds)}${clock}`;
}

/**
 * Returns a Retry-After in either form (RFC 9110 §10.2.3) in whole seconds, at least 1, or 0 if it is missing or invalid.
 *
 * @param {http.IncomingHttpHeaders} headers
 */
function retryAfter(headers) {
  const value = headers["retry-after"] || "";
  if (/^\d{1,30}$/.test(value)) return Math.max(1, Number(value));
  // Use the server's clock, because this machine's may be wrong.
  const now = httpDate(headers.date || "") || Date.now();
  const then = httpDate(value);
  return then ? Math.max(1, Math.ceil((then - now) / 1000)) : 0;
}

/**
 * @param {string} text  in any of the three forms of RFC 9110 §5.6.7
 * @returns {number} milliseconds since 1970, or NaN if the text is invalid
 */
function httpDate(text) {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return NaN;
  return Date.parse(text.endsWith(" GMT") ? text : text + " GMT");
}

/**
 * @param {number} seconds
 * @param {AbortSignal} interrupt
 * @returns {Promise<void>}
 */
function pause(seconds, interrupt) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    interrupt.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new Interruption());
    });
  });
}

/**
 * @param {URL} url
 * @param {string} reason
 */
function networkFailure(url, reason) {
  return new Failure("network", `cannot read ${url.href}: ${reason}`, "check the address and the network, then try again" + proxyHint(url));
}

/** @param {URL} url */
function proxyHint(url) {
  const name = proxyVariable(url);
  return name ? `; ${name} is set, so check the proxy too` : "";
}

/** @param {any} error  an error of http or the file system */
function reasonOf(error) {
  /** @type {{[code: string]: string}} */
  const reasons = {
    CERT_HAS_EXPIRED: "the server's certificate has expired",
    DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed",
    EAI_AGAIN: "the lookup of the host name failed",
    ECONNREFUSED: "the connection was refused",
    ECONNRESET: "the connection was closed before the response was complete",
    EHOSTUNREACH: "the host cannot be reached",
    ENETUNREACH: "the network cannot be reached",
    ENOTFOUND: "the host name is unknown",
    EPROTO: "the server does not speak TLS",
    ETIMEDOUT: "the host does not respond",
  };
  const code = String(error.code || "");
  if (code.startsWith("HPE_")) return "the response is not HTTP";
  return reasons[code] || error.message || code || "unknown error";
}

// ------------------------------------------------------------------------ proxy

/**
 * Returns the proxy that the environment sets for a URL. Node silently ignores a proxy that it can't use, and so bypasses the
 * network's protection. Here, such a proxy is an error. The message omits the value, which may contain a password.
 *
 * @param {URL} url
 * @returns {URL | undefined}
 */
function proxyFor(url) {
  const name = proxyVariable(url);
  if (!name) return undefined;
  /** @param {string} fault @param {string} advice */
  const unusable = (fault, advice) =>
    new Failure("usage", `${name}: ${fault}`, `${advice}; NO_PROXY=${hostOf(url)} or NODE_USE_ENV_PROXY=0 disables the proxy`);
  if (!process.allowedNodeEnvironmentFlags.has("--use-env-proxy")) {
    throw unusable(`Node.js ${process.versions.node} cannot use a proxy here`, "use Node.js 22.21, 24.5, or later");
  }

  const value = process.env[name] || "";
  const form = `write ${name}=http://HOST:PORT`;
  const [, scheme = ""] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value.trim()) || [];
  if (!scheme) throw unusable("a proxy needs its scheme, http or https", form);
  if (!/^https?$/i.test(scheme)) throw unusable(`this tool cannot use a ${scheme} proxy, only http and https`, form);
  try {
    const proxy = new URL(value);
    decodeURIComponent(proxy.username + proxy.password); // as Node does
    return proxy;
  } catch {
    throw unusable("the proxy is not a URL", form);
  }
}

/**
 * Returns the name of the variable that sets the proxy for a request, in curl's order.
 *
 * @param {URL} url
 * @returns {string | undefined}
 */
function proxyVariable(url) {
  const { env } = process;
  const own = url.protocol.replace(":", "_proxy");
  const name = [own, own.toUpperCase(), "all_proxy", "ALL_PROXY"].find((candidate) => env[candidate]);
  if (env.NODE_USE_ENV_PROXY === "0" || bypassesProxy(url, env.no_proxy || env.NO_PROXY || "")) return undefined;
  return name;
}

/**
 * Reports whether NO_PROXY contains a URL, in the forms that Node supports: "*", a host, a host with a port, a domain
 * (".example.com", "*.example.com"), and a range of IPv4 addresses.
 *
 * @param {URL} url
 * @param {string} list
 */
function bypassesProxy(url, list) {
  const host = hostOf(url);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list.split(",").some((item) => {
    const entry = item.trim().toLowerCase();
    if (["*", host, `${host}:${port}`, `.${host}`].includes(entry)) return true;
    if (/^\*?\../.test(entry)) return host.endsWith(entry.replace("*", ""));
    const range = entry.split("-").map((address) => address.trim());
    if (range.length !== 2 || ![host, ...range].every(net.isIPv4)) return false;
    return addressNumber(range[0]) <= addressNumber(host) && addressNumber(host) <= addressNumber(range[1]);
  });
}

/**
 * @param {URL} url
 * @returns {string} an IPv6 address without its brackets
 */
function hostOf(url) {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** @param {string} address  IPv4 */
function addressNumber(address) {
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

// ------------------------------------------------------------------------ cache

/**
 * Returns the name of a base URL's cache file. Deployments never share a file.
 *
 * @param {string} baseURL
 * @returns {string | undefined} or undefined if there is no cache folder
 */
function cacheFile(baseURL) {
  try {
    return path.join(cacheFolder(), NAME, digest(baseURL).slice(0, 32) + ".json");
  } catch {
    return undefined; // a user without a home folder
  }
}

function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  // The XDG specification requires programs to ignore relative paths.
  if (XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (process.platform === "darwin") return path.join(os.homedir(), "Library", "Caches");
  if (process.platform === "win32") return LOCALAPPDATA || path.join(os.homedir(), "AppData", "Local");
  return path.join(os.homedir(), ".cache");
}

/** @param {string} text */
function digest(text) {
  return crypto.createHash("sha256").update(text).digest("hex");
}

/**
 * Reads a cache entry. It ignores a file that `keep` can't have written: a damaged file, another program's file, a symbolic link,
 * or a pipe that would block.
 *
 * @param {string} file
 * @param {string} baseURL
 * @param {Source} source
 * @returns {Kept | undefined}
 */
function readKept(file, baseURL, source) {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  let handle;
  try {
    handle = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!isOwn(fs.fstatSync(handle))) return undefined;
    const { format, base, etag, savedAt, sha256, text, refusal } = JSON.parse(fs.readFileSync(handle, "utf8"));
    if (format !== 1 || base !== baseURL || sha256 !== digest(text) || !Number.isFinite(savedAt)) return undefined;
    if (text) source.check(text);
    return { text, etag: text && isETag(etag) ? etag : "", savedAt, refusal: isRefusal(refusal) ? refusal : undefined };
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) fs.closeSync(handle);
  }
}

/** @param {fs.Stats} stats */
function isOwn(stats) {
  if (!stats.isFile() || stats.size > 4 * LARGEST_BODY) return false; // escaping at most doubles the text
  // Windows has no such owners and permissions.
  return !process.getuid || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
}

/**
 * Reports whether a value is valid in If-None-Match (RFC 9110 §8.8.3).
 *
 * @param {unknown} value
 */
function isETag(value) {
  return typeof value === "string" && /^(W\/)?"[\x21\x23-\x7e]{0,256}"$/.test(value);
}

/** @param {any} value */
function isRefusal(value) {
  return isObject(value) && REFUSING.includes(value.status) && Number.isFinite(value.at) && Number.isFinite(value.until);
}

/** @param {Kept} kept */
function isFresh(kept) {
  const age = Date.now() - kept.savedAt;
  return kept.text !== "" && age >= 0 && age < FRESH_MS; // a negative age means that the clock has been set back
}

/**
 * Writes to a temporary file and renames it, so that a concurrent run reads either the old or the new file, and never
 * an incomplete one.
 *
 * @param {string} file
 * @param {string} base
 * @param {Kept} kept
 */
function keep(file, base, { text, etag, savedAt, refusal }) {
  const draft = `${file}.${crypto.randomBytes(6).toString("hex")}.tmp`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const content = JSON.stringify({ format: 1, base, etag, savedAt, sha256: digest(text), text, refusal });
    fs.writeFileSync(draft, content, { flag: "wx", mode: 0o600 });
    fs.renameSync(draft, file);
  } catch {
    // The response is valid without a cache: a full or read-only disk isn't an error.
    fs.rm(draft, { force: true }, () => {});
  }
}

// ------------------------------------------------------------------- validation

/** Checks of values, keyed by the name of the type or format in the API description. */
const TYPES = {
  string: { words: "a string", holds: isText },
  boolean: { words: "true or false", holds: (/** @type {unknown} */ value) => typeof value === "boolean" },
  number: { words: "a number from 0 up", holds: isAmount },
  integer: { words: "an integer from 0 up", holds: (/** @type {unknown} */ value) => isAmount(value) && Number.isInteger(value) },
  uri: { words: "an absolute URI", holds: isURI },
  email: { words: "an e-mail address", holds: isEmail },
};

/**
 * ProductInformation, member by member. "?" marks optional members, and "*" matches any name. "~" marks members outside the
 * contract: the tool shows them if they have this shape. Otherwise it ignores them, like unlisted members.
 */
const PRODUCT_SHAPE = {
  name: "string",
  url: "uri",
  description: "string",
  audience: ["string"],
  capabilities: ["string"],
  pricing: {
    currency: "string",
    billingPeriod: "string",
    creditDefinition: "string",
    unlimitedReps: "boolean",
    unlimitedTeams: "boolean",
    plans: [
      {
        name: "string",
        monthlyPrice: "number",
        includedCredits: "integer",
        "yearlyPrice~": "number",
        "note~": "string",
        "features~": ["string"],
        "link~": "uri",
      },
    ],
    "onRequest~": [{ name: "string", "note~": "string", "features~": ["string"], "link~": "uri" }],
    url: "uri",
  },
  "gettingStarted?": { "offer?": "string", "steps?": ["string"], "demo?": "uri" },
  contact: "email",
  links: { "*": "uri" },
};

/** The required parts of the feed of changes. The values of facts may have any type. */
const CHANGES_SHAPE = {
  version: "string",
  "_history~": { "complete?": "boolean", "since?": "string", "updated?": "string" },
  items: [{ title: "string", date_published: "string", "_fact~": { path: "string" } }],
};

/** The documents to read, keyed by the command that reads them. */
const SOURCES = {
  /** @type {Source} */ product: { path: "/api/v1/marketing", type: "application/json", check: productFrom },
  /** @type {Source} */ changes: { path: "/changes.json", type: "application/feed+json", check: changesFrom },
};

/**
 * @param {string} text
 * @returns {Product}
 */
function productFrom(text) {
  return documentFrom(text, PRODUCT_SHAPE, "product information");
}

/**
 * @param {string} text
 * @returns {Changes}
 */
function changesFrom(text) {
  return documentFrom(text, CHANGES_SHAPE, "a feed of changes");
}

/**
 * @param {string} text
 * @param {any} shape
 * @param {string} what
 */
function documentFrom(text, shape, what) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw contentFailure("the response is not JSON");
  }
  const fault = faultIn(value, shape, "");
  if (fault) throw contentFailure(`the response is not ${what}: ${fault}`);
  return value;
}

/**
 * @param {any} value
 * @param {any} shape
 * @param {string} where  the path to the value, for the message
 * @returns {string} the problem, or "" if the value has the shape
 */
function faultIn(value, shape, where) {
  const name = where || "the document";
  if (typeof shape === "string") {
    const { words, holds } = TYPES[/** @type {keyof typeof TYPES} */ (shape)];
    return holds(value) ? "" : `${name} is not ${words}`;
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return `${name} is not a list`;
    return firstOf(value, (item, index) => faultIn(item, shape[0], `${where}[${index}]`));
  }
  if (!isObject(value)) return `${name} is not an object`;
  return firstOf(membersOf(value, shape), ({ key, inner, optional, extra }) => {
    const place = where ? `${where}.${key}` : key;
    if (value[key] === undefined) return optional ? "" : `${place} is missing`;
    if (extra) return "";
    return faultIn(value[key], inner, place);
  });
}

/**
 * @param {object} value
 * @param {{[mark: string]: any}} shape
 * @returns {{key: string, inner: any, optional: boolean, extra: boolean}[]} the members in the shape
 */
function membersOf(value, shape) {
  if ("*" in shape) return Object.keys(value).map((key) => ({ key, inner: shape["*"], optional: false, extra: false }));
  return Object.entries(shape).map(([mark, inner]) => {
    const extra = mark.endsWith("~");
    const optional = extra || mark.endsWith("?");
    return { key: optional ? mark.slice(0, -1) : mark, inner, optional, extra };
  });
}

/**
 * @param {unknown} value
 * @returns {value is string}
 */
function isText(value) {
  return typeof value === "string";
}

/**
 * Rejects 1e999, which parses to Infinity, and -0, which would be printed with its sign.
 *
 * @param {unknown} value
 */
function isAmount(value) {
  return typeof value === "number" && Number.isFinite(value) && Object.is(Math.abs(value), value);
}

/**
 * Reports whether a value is an absolute URI, according to the rule that the site's build applies: the characters of
 * RFC 3986 with complete escapes, a host for http and https, and no scheme that runs code or reads files.
 *
 * @param {unknown} value
 */
function isURI(value) {
  if (!isText(value) || !/^[a-z][a-z0-9+.-]*:[!#-;=?-[\]_a-z~]+$/i.test(value) || /%(?![0-9a-f]{2})/i.test(value)) return false;
  if (/^(?:javascript|vbscript|data|blob|file|view-source):/i.test(value)) return false; // the terminal may make it clickable
  return !/^https?:/i.test(value) || /^https?:\/\/(?:[^/?#@]*@)?(?:\[[^/?#@]+\]|[^/?#@:[\]]+)(?::\d+)?(?:[/?#]|$)/i.test(value);
}

/**
 * Reports whether a value is an email address without a display name (RFC 5322 §3.4.1), in ASCII.
 *
 * @param {unknown} value
 */
function isEmail(value) {
  if (!isText(value)) return false;
  const dotAtom = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
  const [local, domain = "", ...more] = value.split("@");
  return more.length === 0 && dotAtom.test(local) && (dotAtom.test(domain) || /^\[[!-Z^-~]+\]$/.test(domain));
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T, index: number) => string} look
 * @returns {string} the first result that isn't empty, or ""
 */
function firstOf(items, look) {
  for (let index = 0; index < items.length; index++) {
    const found = look(items[index], index);
    if (found) return found;
  }
  return "";
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {string} detail */
function contentFailure(detail) {
  return new Failure("content", detail, "check that the base URL is that of a site with this interface");
}

// ------------------------------------------------------------------ print: JSON

/**
 * @param {string} command
 * @param {string} text  the body as served
 */
function documentFor(command, text) {
  if (command === "product") return harmlessJSON(text);
  try {
    const body = parseExactly(text);
    // Don't merge the two members, so that a new name in one can't hide a name in the other.
    return toJSON(command === "pricing" ? body.pricing : { gettingStarted: body.gettingStarted, links: body.links });
  } catch {
    throw contentFailure("the response is nested too deeply"); // textOf has checked that it is JSON
  }
}

/**
 * Parses JSON and keeps numbers as written, so that 49.50 stays 49.50.
 *
 * @param {string} text
 */
function parseExactly(text) {
  const { parse, rawJSON } = /** @type {any} */ (JSON);
  return parse(text, (/** @type {string} */ _, /** @type {unknown} */ value, /** @type {{source: string}} */ context) =>
    typeof value === "number" ? rawJSON(context.source) : value,
  );
}

/**
 * @param {string} text  a validated document
 * @returns {(index: number, member: "monthlyPrice" | "yearlyPrice", price: number) => string} a price as
 *   written, or as a number if the document is nested too deeply
 */
function writtenPrices(text) {
  /** @type {any[]} */
  let plans = [];
  try {
    plans = parseExactly(text).pricing.plans;
  } catch {}
  return (index, member, price) => (plans[index] ? plans[index][member].rawJSON : String(price));
}

/**
 * Returns the changes as data, with the values of facts as written.
 *
 * @param {string} text  the feed as served
 * @param {string} since
 */
function changesDocument(text, since) {
  /** @type {Changes} */
  let feed;
  try {
    feed = parseExactly(text);
  } catch {
    throw contentFailure("the response is nested too deeply");
  }
  const changes = changesSince(feed, since).map(({ date_published: date, title, _fact: fact }) =>
    fact && isObject(fact) ? { date, fact: fact.path, old: fact.old, new: fact.new } : { date, title },
  );
  return Object.assign({}, isObject(feed._history) ? feed._history : {}, { changes });
}

/**
 * Returns the items since a time. A day starts at midnight UTC.
 *
 * @param {Changes} feed
 * @param {string} since
 */
function changesSince(feed, since) {
  const from = since ? Date.parse(since) : -Infinity;
  return feed.items.filter((item) => Date.parse(item.date_published) >= from);
}

/** @param {unknown} value */
function toJSON(value) {
  return harmlessJSON(JSON.stringify(value, null, 2));
}

/**
 * Returns the same document in a form that can't control a terminal. JSON strings can't contain control characters under U+0020,
 * but they can contain control characters from U+007F on, and characters that change the direction of text. Escapes of these
 * have the same meaning. Outside strings, a carriage return could overwrite a line, so it becomes a line feed.
 *
 * @param {string} text
 */
function harmlessJSON(text) {
  const safe = text
    .replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (char) => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0"))
    .replace(/\r(?!\n)/g, "\n");
  return safe.endsWith("\n") ? safe : safe + "\n";
}

// ---------------------------------------------------------------- print: people

/**
 * @param {string} command
 * @param {string} text  the body as served
 * @param {Page} page
 */
function pageFor(command, text, page) {
  /** @type {Product} */
  const tidy = cleaned(productFrom(text), PRODUCT_SHAPE);
  const { plans, currency } = tidy.pricing;
  const written = writtenPrices(text);
  const write = priceWriter(currency);
  plans.forEach((plan, index) => {
    plan.price = write(written(index, "monthlyPrice", plan.monthlyPrice));
    plan.yearly = plan.yearlyPrice === undefined ? "" : write(written(index, "yearlyPrice", plan.yearlyPrice));
  });
  const lines = { product: productPage, pricing: pricingPage, signup: signupPage }[command];
  return lines ? lines(tidy, page).join("\n") + "\n" : "";
}

/**
 * @param {Product} product
 * @param {Page} page
 * @returns {string[]} lines
 */
function productPage(product, page) {
  const plans = product.pricing.plans.map((plan) => `${plan.name} ${plan.price}`).join(" · ");
  return sections(
    [...heading(product.name, page), ...paragraph(product.url, page)],
    paragraph(product.description, page),
    titled("For", bullets(product.audience, page), page),
    titled("What it does", bullets(product.capabilities, page), page),
    titled(`Plans, monthly prices in ${product.pricing.currency}`, paragraph(plans, page, "  "), page),
    titled("Links", pairs([...Object.entries(product.links), ["contact", product.contact]], page, "  "), page),
  );
}

/**
 * @param {Product} product
 * @param {Page} page
 * @returns {string[]} lines
 */
function pricingPage(product, page) {
  const { pricing } = product;
  const { plans, onRequest = [] } = pricing;
  const credits = plans.some((plan) => plan.includedCredits > 0);
  const columns = [
    { name: "Plan", of: (/** @type {Plan} */ plan) => plan.name, shown: true },
    { name: "Monthly price", of: (/** @type {Plan} */ plan) => plan.price, shown: true },
    { name: "Yearly price", of: (/** @type {Plan} */ plan) => plan.yearly, shown: plans.some((plan) => plan.yearly) },
    { name: "Credits", of: (/** @type {Plan} */ plan) => writeNumber(String(plan.includedCredits), 0), shown: credits },
  ].filter(({ shown }) => shown);
  const rows = plans.map((plan) => columns.map(({ of }) => of(plan)));
  return sections(
    heading(`${product.name}: plans and prices`, page),
    rows.length ? table(columns.map(({ name }) => name), rows, page) : [onRequest.length ? "All prices are on request." : "No plans are published."],
    ...plans.map((plan) => planDetails(plan, plan.name, page)),
    ...onRequest.map((plan) => planDetails(plan, `${plan.name}: price on request`, page)),
    credits ? paragraph(pricing.creditDefinition, page) : [],
    pairs(
      [
        ["Currency", pricing.currency],
        ["Billing period", pricing.billingPeriod],
        ...limit("unlimitedReps", pricing.unlimitedReps),
        ...limit("unlimitedTeams", pricing.unlimitedTeams),
        ["More", pricing.url],
      ],
      page,
    ),
  );
}

/**
 * Returns a plan's details other than its price, or no lines for a plan in the table without details.
 *
 * @param {Inquiry} plan
 * @param {string} title
 * @param {Page} page
 * @returns {string[]} lines
 */
function planDetails({ name, note = "", features = [], link = "" }, title, page) {
  const lines = [...paragraph(note, page, "  "), ...bullets(features, page), ...paragraph(link, page, "  ")];
  return lines.length || title !== name ? [...heading(title, page), ...lines] : [];
}

/**
 * Returns a limit in the site's words if it is unlimited, or if the site has its own name for it.
 *
 * @param {string} key
 * @param {boolean} unlimited
 * @returns {[string, string][]}
 */
function limit(key, unlimited) {
  if (!unlimited && !LIMITS_NAMED.includes(key)) return [];
  return [[clean(WORDS[key]), clean(WORDS[unlimited ? "unlimited" : "limited"])]];
}

/**
 * @param {Product} product
 * @param {Page} page
 * @returns {string[]} lines
 */
function signupPage(product, page) {
  const { offer = "", steps = [], demo = "" } = product.gettingStarted || {};
  /** @type {[string, string][]} */
  const links = Object.entries(product.links);
  if (demo) links.unshift(["demo", demo]);
  return sections(
    heading(`Getting started with ${product.name}`, page),
    paragraph(offer, page),
    numbered(steps, page),
    titled("Links", pairs(links, page, "  "), page),
    paragraph("This tool creates nothing; use the links.", page).map(page.ink.dim),
  );
}

/**
 * @param {string} text  the feed as served
 * @param {string} since
 * @param {Page} page
 * @returns {string[]} lines
 */
function changesPage(text, since, page) {
  const feed = changesFrom(text);
  /** @type {Changes} */
  let exact = feed;
  try {
    exact = parseExactly(text);
  } catch {}
  const changes = changesSince(exact, since);
  /** @type {Map<string, string[]>} */
  const days = new Map();
  for (const item of changes) {
    const day = clean(item.date_published.slice(0, 10));
    days.set(day, [...(days.get(day) || []), ...changeLines(item, page)]);
  }
  const { complete = false } = isObject(feed._history) ? feed._history || {} : {};
  const first = since ? ` since ${since}` : "";
  return sections(
    heading(clean(`${PRODUCT}: changes in the facts${first}`), page),
    ...[...days].map(([day, lines]) => [...heading(day, page), ...lines]),
    changes.length ? [] : paragraph("No changes are known.", page),
    complete ? [] : paragraph("The history that the site was built from is incomplete; there may be more changes.", page),
  );
}

/**
 * @param {Changes["items"][number]} item
 * @param {Page} page
 * @returns {string[]} lines
 */
function changeLines({ title, _fact: fact }, page) {
  if (!fact || !isObject(fact) || !isText(fact.path)) return paragraph(clean(title), page, "  ");
  /** @type {(value: unknown) => string} */
  const shown = (value) => clean(value === undefined ? "–" : isText(value) ? value : JSON.stringify(value));
  return [...paragraph(clean(fact.path), page, "  "), ...paragraph(`${shown(fact.old)} → ${shown(fact.new)}`, page, "    ")];
}

/**
 * Returns a function that formats prices like the site's pages do, in its language and with the decimals of the currency: 49
 * becomes €49, 49.5 becomes €49.50, and 49 dinars become KWD 49.000.
 *
 * @param {string} currency
 * @returns {(amount: string) => string}
 */
function priceWriter(currency) {
  const symbol = currency === FORMS.currency ? FORMS.symbol : symbolOf(currency);
  const fraction = currency === FORMS.currency ? FORMS.fraction : fractionOf(currency);
  if (FORMS.place === "behind") return (amount) => `${writeNumber(amount, fraction)}\u00a0${symbol}`;
  const space = FORMS.place === "apart" || symbol === currency ? "\u00a0" : "";
  return (amount) => symbol + space + writeNumber(amount, fraction);
}

/** @param {string} currency  a currency other than the site's at build time */
function fractionOf(currency) {
  try {
    return Number(new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits);
  } catch {
    return 2; // not an ISO 4217 code
  }
}

/** @param {string} currency  a currency other than the site's at build time */
function symbolOf(currency) {
  try {
    const parts = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "narrowSymbol" }).formatToParts(0);
    return parts.filter(({ type }) => type === "currency").map(({ value }) => value).join("");
  } catch {
    return currency; // not an ISO 4217 code
  }
}

/**
 * @param {string} amount  a nonnegative number, as written
 * @param {number} fraction  the number of decimals of the currency
 * @returns {string} the amount in the site's language. Fractional amounts have all decimals of the currency. Whole amounts have no
 *   decimals, except in a currency with three or more, because readers would read those as thousands.
 */
function writeNumber(amount, fraction) {
  const [, written = "", exponent = "0"] = /^\d+(?:\.(\d+))?(?:e(.+))?$/i.exec(amount) || [];
  const own = Math.max(0, written.length - Number(exponent));
  const digits = own === 0 && fraction < 3 ? 0 : Math.min(100, Math.max(own, fraction));
  const format = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
  // A string isn't rounded like a number.
  const [whole, decimals] = format.format(/** @type {any} */ (amount)).split(".");
  const groups = [whole.slice(-FORMS.last)];
  for (let end = whole.length - FORMS.last; end > 0; end -= FORMS.others) groups.unshift(whole.slice(Math.max(0, end - FORMS.others), end));
  const text = groups.join(FORMS.group) + (decimals ? FORMS.decimal + decimals : "");
  return text.replace(/\d/g, (digit) => [...FORMS.digits][Number(digit)]);
}

/**
 * @param {string} topic
 * @param {Page} page
 */
function helpPage(topic, page) {
  const command = COMMANDS.find((candidate) => candidate.name === topic);
  const lines = command ? commandHelp(command, page) : wholeHelp(page);
  return lines.join("\n") + "\n";
}

/** @param {Page} page */
function wholeHelp(page) {
  return sections(
    [...heading(`${NAME} ${VERSION}`, page), ...paragraph(`Public information about ${PRODUCT}, read from ${BASE_URL}`, page)],
    titled("Usage", [`  node ${NAME}.mjs <command> [flags]`], page),
    titled("Commands", pairs(COMMANDS.map(({ name, summary }) => [name, summary]), page, "  "), page),
    flagHelp(page),
    titled("Environment", pairs(ENVIRONMENT.map(({ name, meaning }) => [name, meaning]), page, "  "), page),
    titled("Exit codes", pairs(Object.values(EXITS).map(({ code, title }) => [String(code), title]), page, "  "), page),
    titled("What it cannot do", paragraph(clean(LIMITS), page, "  "), page),
    paragraph(`The tool reuses a response for five minutes, then checks for changes, but never before a Retry-After time has passed. More: ${BASE_URL}/cli`, page),
  );
}

/**
 * @param {{name: string, summary: string, more: string}} command
 * @param {Page} page
 */
function commandHelp(command, page) {
  return sections(
    heading(`${NAME} ${command.name}: ${command.summary}`, page),
    paragraph(command.more, page),
    titled("Usage", [`  node ${NAME}.mjs ${command.name} ${command.name === "help" ? "[command]" : "[flags]"}`], page),
    flagHelp(page),
  );
}

/** @param {Page} page */
function flagHelp(page) {
  return titled("Flags", pairs(FLAGS.map((flag) => [flagForm(flag), flag.meaning]), page, "  "), page);
}

/** @param {{name: string, value: string}} flag */
function flagForm({ name, value }) {
  return `--${name} ${value}`.trim();
}

function helpDocument() {
  return {
    name: NAME,
    version: VERSION,
    product: PRODUCT,
    baseURL: BASE_URL,
    usage: `node ${NAME}.mjs <command> [flags]`,
    commands: COMMANDS,
    flags: FLAGS.map((flag) => ({ flag: flagForm(flag), meaning: flag.meaning })),
    environment: ENVIRONMENT,
    exitCodes: Object.values(EXITS),
    cannot: LIMITS,
  };
}

// ------------------------------------------------------------------ typesetting

/**
 * @param {NodeJS.WriteStream} stream
 * @returns {Page}
 */
function newPage(stream) {
  // COLUMNS takes precedence, because users set it to override the terminal.
  const width = Number(process.env.COLUMNS) || stream.columns || 80;
  return { width: Math.max(12, Math.min(80, Math.floor(width))), ink: inkFor(stream) };
}

/**
 * @param {NodeJS.WriteStream} stream
 * @returns {Ink}
 */
function inkFor(stream) {
  const color = wantsColor(stream, process.env);
  /** @type {(on: number, off: number) => (text: string) => string} */
  const style = (on, off) => (text) => color && text ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { bold: style(1, 22), dim: style(2, 22), red: style(31, 39), yellow: style(33, 39) };
}

/**
 * @param {NodeJS.WriteStream} stream
 * @param {NodeJS.ProcessEnv} env
 */
function wantsColor(stream, env) {
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return Boolean(stream.isTTY) && !env.NO_COLOR && env.TERM !== "dumb";
}

/**
 * @param {...string[]} parts  the lines of each
 * @returns {string[]} the nonempty parts, separated by empty lines
 */
function sections(...parts) {
  const full = parts.filter((lines) => lines.length > 0);
  return full.reduce((all, lines) => (all.length ? [...all, "", ...lines] : lines), /** @type {string[]} */ ([]));
}

/**
 * @param {string} title
 * @param {string[]} lines
 * @param {Page} page
 */
function titled(title, lines, page) {
  return lines.length ? [...heading(title, page), ...lines] : [];
}

/**
 * @param {string} text
 * @param {Page} page
 */
function heading(text, page) {
  return wrap(text, page.width).map(page.ink.bold);
}

/**
 * @param {string} text
 * @param {Page} page
 * @param {string} [indent]
 */
function paragraph(text, page, indent = "") {
  return hanging(indent, text, page);
}

/**
 * @param {string[]} items
 * @param {Page} page
 */
function bullets(items, page) {
  return items.flatMap((item) => hanging("  • ", item, page));
}

/**
 * @param {string[]} items
 * @param {Page} page
 */
function numbered(items, page) {
  const digits = String(items.length).length;
  return items.flatMap((item, index) => hanging(`  ${String(index + 1).padStart(digits)}. `, item, page));
}

/**
 * @param {string} lead  the text before the first line; the other lines are indented by its width
 * @param {string} text
 * @param {Page} page
 */
function hanging(lead, text, page) {
  const indent = " ".repeat(widthOf(lead));
  return wrap(text, page.width - indent.length).map((line, index) => (index ? indent : lead) + line);
}

/**
 * Returns names and values side by side. If the names are too long, every value is under its name. If a single value is
 * too long, such as a URL, only that value is under its name.
 *
 * @param {[name: string, text: string][]} entries
 * @param {Page} page
 * @param {string} [indent]
 */
function pairs(entries, page, indent = "") {
  const names = widest(entries.map(([name]) => name)) + 2;
  const room = page.width - indent.length - names;
  return entries.flatMap(([name, text]) => {
    const beside = room >= page.width / 2 && widest(text.split(" ")) <= room;
    if (beside) return hanging(indent + pad(name, names), text, page);
    return [...paragraph(name, page, indent), ...paragraph(text, page, indent + "  ")];
  });
}

/**
 * Returns a table. The first column is text, and wraps in a narrow terminal. The other columns are numbers, aligned right. If the
 * table is still too wide, the output is a list.
 *
 * @param {string[]} header
 * @param {string[][]} rows
 * @param {Page} page
 */
function table(header, rows, page) {
  const gap = "  ";
  const widths = header.map((_, column) => widest([header, ...rows].map((row) => row[column])));
  const numbers = widths.slice(1).reduce((sum, width) => sum + gap.length + width, 0);
  widths[0] = Math.min(widths[0], page.width - numbers);
  if (widths[0] < Math.min(8, widest(rows.map(([name]) => name)))) return asList(header, rows, page);

  /** @param {string[]} row */
  const set = ([name, ...values]) =>
    wrap(name, widths[0], true).map((line, index) => {
      const cells = values.map((value, column) => padStart(index ? "" : value, widths[column + 1]));
      return [pad(line, widths[0]), ...cells].join(gap).trimEnd();
    });
  const rule = widths.map((width) => "─".repeat(width)).join(gap);
  return [...set(header).map(page.ink.bold), page.ink.dim(rule), ...rows.flatMap(set)];
}

/**
 * @param {string[]} header
 * @param {string[][]} rows
 * @param {Page} page
 */
function asList(header, rows, page) {
  return rows.flatMap(([name, ...values]) => [
    ...heading(name, page),
    ...values.flatMap((value, column) => paragraph(`${header[column + 1]}: ${value}`, page, "  ")),
  ]);
}

/**
 * @param {string} text  cleaned
 * @param {number} width  columns
 * @param {boolean} [hard]  also break a word that is too wide; otherwise it is kept intact, so that a URL can be copied
 * @returns {string[]} lines
 */
function wrap(text, width, hard = false) {
  const room = Math.max(2, width);
  const lines = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    let space = line ? " " : "";
    for (const piece of pieces(word, hard ? room : Infinity)) {
      if (line && used + space.length + piece.width > room) {
        lines.push(line);
        line = space = "";
        used = 0;
      }
      line += space + piece.text;
      used += space.length + piece.width;
      space = "";
    }
  }
  return line ? [...lines, line] : lines;
}

/**
 * Splits a word into the parts between which a line may break. Chinese and Japanese lines break between any two characters, except
 * before a closing mark or after an opening one.
 *
 * @param {string} word
 * @param {number} widest  the maximum width; longer parts are cut
 */
function pieces(word, widest) {
  /** @type {{text: string, width: number}[]} */
  const parts = [];
  let previous = "";
  for (const char of characters(word)) {
    const width = characterWidth(char);
    const last = parts[parts.length - 1];
    const free = (IDEOGRAPHIC.test(previous) || IDEOGRAPHIC.test(char)) && !OPENING.test(previous) && !CLOSING.test(char);
    if (!last || free || last.width + width > widest) {
      parts.push({ text: char, width });
    } else {
      last.text += char;
      last.width += width;
    }
    previous = char;
  }
  return parts;
}

const IDEOGRAPHIC = /[\u2e80-\u303e\u3041-\ua4cf\uf900-\ufaff\uff01-\uff60\u{20000}-\u{3fffd}]/u;
const OPENING = /[（「『【〈《〔［｛“‘([]$/u;
const CLOSING = /^[）」』】〉》〕］｝”’、。，．：；？！ー…,.:;?!)\]]/u;

/** Characters that occupy two columns in a terminal: East Asian wide and full-width forms, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** @param {string} text */
function widthOf(text) {
  return characters(text).reduce((sum, char) => sum + characterWidth(char), 0);
}

/** @param {string[]} texts */
function widest(texts) {
  return texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
}

/**
 * @param {string} text
 * @returns {string[]} user-perceived characters
 */
function characters(text) {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split("");
  return Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text), ({ segment }) => segment);
}

/** @param {string} char */
function characterWidth(char) {
  if (WIDE.test(char)) return 2;
  return /^[\p{Mark}\p{Format}]+$/u.test(char) ? 0 : 1;
}

/**
 * @param {string} text
 * @param {number} width
 */
function pad(text, width) {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/**
 * @param {string} text
 * @param {number} width
 */
function padStart(text, width) {
  return " ".repeat(Math.max(0, width - widthOf(text))) + text;
}

/**
 * Returns a duration in the largest suitable unit, rounded down.
 *
 * @param {number} seconds
 */
function inWords(seconds) {
  const units = [{ unit: "day", size: 86400 }, { unit: "hour", size: 3600 }, { unit: "minute", size: 60 }];
  const { unit, size } = units.find((candidate) => seconds >= 2 * candidate.size) || { unit: "second", size: 0 };
  const count = size ? Math.floor(seconds / size) : seconds; // so that --timeout 0.5 stays 0.5
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" }).format(count);
}

/**
 * Returns the members in the shape, with all names and strings cleaned, so that the print functions don't have to clean them.
 *
 * @param {any} value  of that shape
 * @param {any} shape
 * @returns {any}
 */
function cleaned(value, shape) {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((item) => cleaned(item, shape[0]));
  if (!isObject(value)) return value;
  const members = membersOf(value, shape).filter(({ key, inner, extra }) => value[key] !== undefined && !(extra && faultIn(value[key], inner, key)));
  return Object.fromEntries(members.map(({ key, inner }) => [clean(key), cleaned(value[key], inner)]));
}

/**
 * Returns text as one line that can't move the cursor, set a title, or change the direction of adjacent text. It removes complete
 * escape sequences, then the control characters of incomplete ones. Each pattern stops at the next control character, so the time
 * is linear in the length.
 *
 * @param {string} text
 */
function clean(text) {
  return text
    .replace(/(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)/g, "") // titles, links, strings
    .replace(/(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g, "") // colors, cursor
    .replace(/\u001b[ -/]*[0-~]/g, "") // reset, character sets
    .replace(/[\t\n\v\f\r \u2028\u2029]+/g, " ")
    .replace(/[\p{Control}\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim();
}

// -------------------------------------------------------------------- messages

/**
 * @param {boolean} json
 * @returns {Voice}
 */
function newVoice(json) {
  const { stderr } = process;
  if (json) {
    return {
      notice: (text) => void stderr.write(harmlessJSON(JSON.stringify({ notice: text }))),
      failure: (failure) => void stderr.write(harmlessJSON(JSON.stringify(problemOf(failure)))),
    };
  }
  const ink = inkFor(stderr);
  return {
    notice: (text) => void stderr.write(`${NAME}: ${ink.yellow("warning:")} ${clean(text)}\n`),
    failure: ({ detail, resolution }) =>
      void stderr.write(`${NAME}: ${ink.red("error:")} ${clean(detail)}\n  ${clean(resolution)}\n`),
  };
}

/**
 * Returns a problem (RFC 9457), with the members of the server's problem if it sent one. Without a response, it has no status.
 *
 * @param {Failure} failure
 */
function problemOf({ kind, detail, resolution, members }) {
  const { code, title } = EXITS[kind];
  return Object.assign({ type: `${BASE_URL}/cli#exit-${code}`, title, detail, resolution }, members, { exitCode: code });
}

// ------------------------------------------------------------------------ start

/** @param {Voice} voice */
function start(voice) {
  const interrupt = new AbortController();
  // Handle only the first SIGINT; the next one ends the process immediately. The tool also sends the next one itself,
  // because a name lookup can't be canceled and would delay the exit for seconds. A shell reports 130 in both cases.
  process.once("SIGINT", () => {
    interrupt.abort();
    setTimeout(() => process.kill(process.pid, "SIGINT"), 200).unref();
  });
  // A reader that stops early (`| head -1`) isn't an error.
  process.stdout.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code === "EPIPE") return;
    voice.failure(new Failure("broken", `cannot write: ${error.message}`, "free disk space, or write elsewhere"));
    process.exitCode = EXITS.broken.code;
  });
  process.stderr.on("error", () => {});
  // Node's warnings are for developers, and would break the JSON on stderr.
  process.removeAllListeners("warning");
  // Set only the exit code: exit() would discard data that a pipe hasn't read yet.
  main(process.argv.slice(2), voice, interrupt.signal).then((code) => {
    if (code) process.exitCode = code;
  });
}

const wantsJSON = asksForJSON(process.argv.slice(2));
if (Number(process.versions.node.split(".")[0]) >= OLDEST_NODE) {
  start(newVoice(wantsJSON));
} else {
  const need = `${NAME} needs Node.js ${OLDEST_NODE} or later; this is ${process.versions.node}`;
  const problem = problemOf(new Failure("broken", need, "install a newer version from https://nodejs.org/"));
  console.error(wantsJSON ? JSON.stringify(problem) : `${need} (https://nodejs.org/)`);
  process.exitCode = EXITS.broken.code;
}
