// Loading a file with progress that can be shown and a load that can be stopped.
//   node examples/load-progress.mjs [file]
import { fileURLToPath } from 'node:url';
import { open } from 'quadrille';

const file = process.argv[2] ?? fileURLToPath(new URL('./data/solar-system-2015.ttl', import.meta.url));

// Ctrl+C stops the load; a load that was stopped leaves nothing behind.
const controller = new AbortController();
process.once('SIGINT', () => controller.abort());

const db = await open(':memory:');
const repo = await db.repository('solar-system', { create: true });

let shown = '';
const revision = await repo.load(file, {
  signal: controller.signal,
  message: 'the solar system',
  onProgress({ phase, fraction, quads }) {
    const line = `${phase} ${Math.floor((fraction ?? 0) * 100)} %`;
    if (line !== shown) console.log(`${line}, ${quads} quads`);
    shown = line;
  },
});

console.log(`revision ${revision.number}: ${revision.added} quads`);
await db.close();
