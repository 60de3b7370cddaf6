// Preloaded (node --import) into tools that request a site at its public address. It redirects these requests to the
// local server and rejects all others. VITRINE_LOCAL is "https://the.site http://localhost:PORT".
const [own, here] = process.env.VITRINE_LOCAL.split(' ');
const plain = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const address = String(input.url ?? input);
  if (new URL(address).origin !== own) throw new TypeError(`${address} is not on ${own}`);
  const answer = await plain(here + address.slice(own.length), init);
  Object.defineProperty(answer, 'url', { value: answer.url.replace(here, own) });
  return answer;
};

// One tool selects random pages from the sitemap, and its findings depend on the selection. A fixed sequence makes every run
// select the same pages.
let state = 1;
Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647;
