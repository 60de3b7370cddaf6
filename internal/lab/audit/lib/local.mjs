// Loaded before a tool that requests a site at its own address (node --import): its requests go to the local server,
// and none leaves this machine. VITRINE_LOCAL is "https://the.site http://localhost:PORT".
const [own, here] = process.env.VITRINE_LOCAL.split(' ');
const plain = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const address = String(input.url ?? input);
  if (new URL(address).origin !== own) throw new TypeError(`${address} is not on ${own}`);
  const answer = await plain(here + address.slice(own.length), init);
  Object.defineProperty(answer, 'url', { value: answer.url.replace(here, own) });
  return answer;
};

// A tool draws pages of the sitemap at random, and its findings depend on them. Here every run draws the same ones.
let state = 1;
Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647;
