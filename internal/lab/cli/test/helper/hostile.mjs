/**
 * A server that misbehaves in many ways. The first segment of the path selects the behavior, so base URLs are `${url}/slow`,
 * `${url}/truncated`, and so on.
 */

import { createHash } from "node:crypto";
import { createServer } from "node:http";

import { BODY, bodyWith } from "./facts.mjs";
import { listen } from "./listen.mjs";

/**
 * @param {import("node:http").ServerResponse} response
 * @param {string | Buffer} body
 * @param {string} [type]
 */
function answer(response, body, type = "application/json") {
  response.writeHead(200, { "Content-Type": type, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}

/** @type {{[name: string]: (request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => void}} */
const WAYS = {
  silent: () => {},
  slow(request, response) {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(BODY) });
    const drip = setInterval(() => response.write(" "), 20);
    request.on("close", () => clearInterval(drip));
    response.on("close", () => clearInterval(drip));
  },
  truncated(_, response) {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(BODY) });
    response.write(BODY.slice(0, 100), () => response.destroy());
  },
  reset(request) {
    request.socket.resetAndDestroy();
  },
  "not-http"(request) {
    request.socket.end("SSH-2.0-OpenSSH_9.9\r\n");
  },
  "other-protocol"(request) {
    request.socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
  },
  unmeasured(request) {
    // HTTP/1.0 style: the end of the connection ends the body.
    request.socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n${BODY}`);
  },
  chunked(_, response) {
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
    for (const line of BODY.split(/(?<=\n)/)) response.write(line);
    response.end();
  },
  "wrong-type": (_, response) => answer(response, BODY, "text/html; charset=utf-8"),
  "no-type"(_, response) {
    response.end(BODY);
  },
  "coded"(_, response) {
    response.setHeader("Content-Encoding", "gzip");
    answer(response, "not even gzip");
  },
  "damaged"(_, response) {
    response.setHeader("Repr-Digest", "sha-512=:AAAA:, sha-256=:AAAA:");
    answer(response, BODY);
  },
  digested(_, response) {
    const digest = (/** @type {string} */ name) => createHash(name).update(BODY).digest("base64");
    response.setHeader("Repr-Digest", `sha-512=:${digest("sha512")}:, sha-256=:${digest("sha256")}:`);
    answer(response, BODY);
  },
  "digested-otherwise"(_, response) {
    response.setHeader("Repr-Digest", "sha-512=:AAAA:");
    answer(response, BODY);
  },
  html: (_, response) => answer(response, "<!doctype html><title>Sign in to the hotel network</title>", "text/html"),
  "html-as-json": (_, response) => answer(response, "<!doctype html>"),
  "not-utf8": (_, response) => answer(response, Buffer.from(BODY.replace("Parley", "Parl\u00e9"), "latin1")),
  empty: (_, response) => answer(response, ""),
  array: (_, response) => answer(response, `[${BODY}]`),
  "price-as-text": (_, response) => answer(response, BODY.replace("49,", '"49",')),
  "price-infinite": (_, response) => answer(response, BODY.replace("49,", "1e999,")),
  "credits-fraction": (_, response) => answer(response, BODY.replace("100 }", "100.5 }")),
  "no-contact": (_, response) => answer(response, bodyWith({ contact: undefined })),
  "link-number": (_, response) => answer(response, bodyWith({ links: { docs: 1 } })),
  "steps-null": (_, response) => answer(response, bodyWith({ gettingStarted: { steps: [null] } })),
  deep: (_, response) => answer(response, bodyWith({ more: 1 }).replace('"more":1', `"more":${"[".repeat(400_000)}${"]".repeat(400_000)}`)),
  "two-mebibytes": (_, response) => answer(response, bodyWith({ padding: "x".repeat(2 * 1024 * 1024) })),
  "endless"(_, response) {
    response.writeHead(200, { "Content-Type": "application/json" });
    const more = () => {
      while (!response.destroyed && response.write(" ".repeat(65536)));
    };
    response.on("drain", more);
    more();
  },
  "almost-a-mebibyte": (_, response) => answer(response, bodyWith({ padding: "x".repeat(1024 * 1024 - 4096) })),
  "error-html"(_, response) {
    response.writeHead(500, { "Content-Type": "text/html" });
    response.end("<h1>Internal Server Error</h1>".repeat(10_000));
  },
  "error-huge-problem"(_, response) {
    response.writeHead(503, { "Content-Type": "application/problem+json" });
    response.end(JSON.stringify({ title: "x".repeat(2 * 1024 * 1024) }));
  },
  "error-problem"(_, response) {
    response.writeHead(403, { "Content-Type": "application/problem+json" });
    response.end(
      JSON.stringify({ type: "https://x.example/p", title: "No", status: 200, detail: "not\u001b[2J you", resolution: 7, extra: ["kept"] }),
    );
  },
  "empty-ok"(_, response) {
    response.writeHead(204).end();
  },
  "unasked-304"(_, response) {
    response.writeHead(304).end();
  },
  loop(request, response) {
    response.writeHead(302, { Location: request.url }).end();
  },
  "to-file"(_, response) {
    response.writeHead(302, { Location: "file:///etc/passwd" }).end();
  },
  "to-nonsense"(_, response) {
    response.writeHead(302, { Location: "http://[" }).end();
  },
  "to-nowhere"(_, response) {
    response.writeHead(302).end();
  },
  "to-good"(_, response) {
    response.writeHead(308, { Location: "/good/api/v1/marketing" }).end();
  },
  good: (_, response) => answer(response, BODY),
};

/** @returns {Promise<{url: string, close: () => Promise<void>}>} */
export function startHostile() {
  return listen(
    createServer((request, response) => {
      const way = WAYS[(request.url ?? "").split("/")[1]];
      if (!way) throw new Error(`there is no way ${request.url}`);
      way(request, response);
    }),
  );
}
