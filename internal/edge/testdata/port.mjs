// Sends the requests of the differential test to the port. A message is a length in decimal, a line
// feed, and that many bytes of JSON, in both directions. The first message is the manifest, which
// gets no reply. Each later message is a list of requests. The reply has an ID for the response to
// each request, and the text of each new response.
import { Allowance, bytesOf, decide, open } from "../js/core.mjs";

let table = null;
const ids = new Map();

function answer(questions) {
  const fresh = [];
  const answers = questions.map((question) => {
    const text = textOf(ask(question));
    let id = ids.get(text);
    if (id === undefined) {
      id = ids.size;
      ids.set(text, id);
      fresh.push(text);
    }
    return id;
  });
  return { answers, fresh };
}

// A request contains the state of the allowance: the number of requests that arrived earlier, at time 0, and the time
// of this request.
function ask({ limit, window, used, now, ...request }) {
  const allowance = new Allowance(limit, window);
  for (let i = 0; i < used; i++) {
    allowance.take(0);
  }
  return decide(request, table, allowance, now);
}

function textOf({ status, headers, body }) {
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`).join("");
  return `${status}\n${lines}\n${bodyText(body)}`;
}

function bodyText(body) {
  if (body === null) {
    return "none";
  }
  return body.text === undefined ? `file ${body.coding} ${body.size} ${body.file}` : `text ${bytesOf(body.text)}`;
}

let pending = Buffer.alloc(0);
for await (const chunk of process.stdin) {
  pending = Buffer.concat([pending, chunk]);
  for (;;) {
    const end = pending.indexOf(10);
    const length = Number(pending.subarray(0, end));
    if (end < 0 || pending.length < end + 1 + length) {
      break;
    }
    const message = JSON.parse(pending.subarray(end + 1, end + 1 + length));
    pending = pending.subarray(end + 1 + length);
    if (table === null) {
      table = open(message);
      continue;
    }
    const reply = Buffer.from(JSON.stringify(answer(message)));
    process.stdout.write(`${reply.length}\n`);
    process.stdout.write(reply);
  }
}
