// `npm run dev`: serves a store with the page, builds the page when one of its sources changes, and has open pages reload.
//   npm run dev -- ./data      a store of yours; without it the solar system of the examples, in memory
//   QUADRILLE_PORT=9000        another port (default 8080, or the next free one)
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { createHandler, serveOnPort } from '@quadrille/server';
import { files } from './dist/index.js';
import { open } from 'quadrille';

const here = import.meta.dirname;
const EXAMPLES = join(here, '../../examples/data');
const RELOAD = '/workbench/assets/reload.js';
const BUILD = '/workbench/assets/build.json';

let fileAt = files();
let builds = 0;

/** The page asks for the number of the build, and reloads when another one is there. */
const script = `const now = () => fetch('${BUILD.slice(1)}').then((answer) => answer.text());
const first = await now();
setInterval(async () => { if ((await now().catch(() => first)) !== first) location.reload(); }, 500);
`;

const made = (text, mediaType, headers = {}) => {
  const bytes = new TextEncoder().encode(text);
  const etag = `"${builds}-${bytes.length}"`;
  return { bytes, brotli: brotliCompressSync(bytes), mediaType, etag, immutable: false, headers };
};

function pages(path) {
  if (path === RELOAD) return made(script, 'text/javascript; charset=utf-8');
  if (path === BUILD) return made(String(builds), 'application/json');
  const file = fileAt(path);
  if (path !== '/' || file === undefined) return file;
  const html = new TextDecoder().decode(file.bytes);
  return made(
    html.replace('</head>', `<script type="module" src="${RELOAD.slice(1)}"></script></head>`),
    file.mediaType,
    file.headers,
  );
}

let running = false;
let again = false;
/** Builds the page without making it small. A change during a build begins another one behind it. */
function build() {
  again = running;
  if (running) return;
  running = true;
  const began = performance.now();
  const child = spawn(process.execPath, ['build.mjs'], {
    cwd: here,
    stdio: 'inherit',
    env: { ...process.env, QUADRILLE_QUICK_BUILD: '1' },
  });
  child.once('exit', (code) => {
    running = false;
    if (code === 0) {
      fileAt = files();
      builds++;
      console.log(`built in ${Math.round(performance.now() - began)} ms`);
    }
    if (again) build();
  });
}

async function opened() {
  const [place] = process.argv.slice(2);
  const db = await open(place ?? ':memory:');
  if (place !== undefined) return db;
  const repo = await db.repository('demo/solar-system', { create: true });
  const names = (await readdir(EXAMPLES)).filter((name) => /^solar-system-\d+\.ttl$/.test(name)).sort();
  for (const name of names) await repo.load(join(EXAMPLES, name), { replace: true, message: name, author: 'demo' });
  return db;
}

const db = await opened();
const port = process.env.QUADRILLE_PORT;
const handler = createHandler({ database: db, open: true, pages });
const server = await serveOnPort(handler, port === undefined ? undefined : Number(port));
console.log(`${server.url} builds anew when packages/workbench/src changes; Ctrl+C ends it`);
let timer;
const watcher = watch(join(here, 'src'), { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(build, 50);
});
process.once('SIGINT', () => {
  watcher.close();
  void server.close().then(() => db.close());
});
