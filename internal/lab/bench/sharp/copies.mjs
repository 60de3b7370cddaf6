// Creates copies of photographs with sharp, each in its own pipeline, as Astro does. It processes as many photographs
// at a time as there are processors.
//
//   node copies.mjs FROM OUT QUALITY METHOD WIDTH …
//
// METHOD is libwebp's compression method.
import { readdir, mkdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, parse } from 'node:path';
import sharp from 'sharp';

const [from, out, quality, effort, ...widths] = process.argv.slice(2);
const encoders = {
	jpg: (image) => image.jpeg({ quality: Number(quality) }),
	webp: (image) => image.webp({ quality: Number(quality), effort: Number(effort) }),
};

async function copy(file) {
	const photo = await readFile(join(from, file));
	await Promise.all(widths.flatMap((width) => Object.entries(encoders).map(([extension, encoded]) =>
		encoded(sharp(photo).resize({ width: Number(width), kernel: 'cubic' })).toFile(join(out, `${parse(file).name}-${width}.${extension}`)))));
}

async function work(files) {
	for (let file = files.pop(); file !== undefined; file = files.pop()) await copy(file);
}

await mkdir(out, { recursive: true });
const files = await readdir(from);
await Promise.all(Array.from({ length: availableParallelism() }, () => work(files)));
