// Splits text into words with the browser's script. The first line is the stemmer's script, or "", as JSON. Each other
// line is text as JSON, for which it writes [[word, folded, stem], …].
import { createInterface } from "node:readline";
const { cut, fold, stemming } = await import(process.argv[2]);
let stem = null;
for await (const line of createInterface({ input: process.stdin })) {
  const text = JSON.parse(line);
  if (!stem) {
    const module = text && await import(`data:text/javascript,${encodeURIComponent(text)}`);
    stem = stemming(module?.default);
    continue;
  }
  const words = [...cut(text)];
  for (const [word, begin, end] of words) {
    if (!text.slice(begin, end).startsWith(word)) throw new Error(`${word} is not at ${begin} to ${end} of ${text}`);
  }
  console.log(JSON.stringify(words.map(([word]) => [word, fold(word), stem(word)])));
}
