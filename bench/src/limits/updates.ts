/** Measures SPARQL updates with much data: how long each holds the event loop, and its time. */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { open } from 'quadrille';
import type { Repository } from 'quadrille';
import { checkCount, REPOSITORY } from '../data-sets.js';
import type { Figures } from '../workload.js';
import { longText, TEXT } from './long-texts.js';
import { quadLines, writeQuads } from './many-quads.js';
import { loadEngine, watched } from './watched.js';

export interface UpdateSizes {
  readonly blankNodes: number;
  readonly quads: number;
  readonly loaded: number;
  readonly texts: number;
  /** UTF-16 units of each text. */
  readonly length: number;
}

/** Measures each kind of update in a repository of its own. */
export async function measureUpdates(scratch: string, sizes: UpdateSizes): Promise<Figures> {
  const db = await open(join(scratch, 'store'), { federation: { load: true, allow: ['127.0.0.1'] } });
  const texts = Array.from({ length: sizes.texts }, (_, n) => JSON.stringify(longText(n, sizes.length)));
  const iris = texts.map((text, n) => `<http://example.org/item${n}> <${TEXT}> ${text} .`).join('\n');
  const server = await serveQuads(scratch, sizes.loaded);
  let figures: Figures = {};
  const measure = async (name: string, text: string, quads: number, repository?: Repository): Promise<Repository> => {
    const changed =
      repository ?? (await db.repository(`${REPOSITORY}${Object.keys(figures).length}`, { create: true }));
    const done = await watched(name, () => changed.update(text));
    checkCount(name, await changed.size(), quads);
    figures = { ...figures, ...done.figures };
    return changed;
  };
  try {
    await loadEngine(await db.repository(REPOSITORY, { create: true }));
    const labels = Array.from({ length: sizes.blankNodes }, (_, n) => `_:b${n} <http://example.org/p> ${n} .`);
    await measure('INSERT DATA of blank nodes', `INSERT DATA { ${labels.join('\n')} }`, sizes.blankNodes);
    const data = [...quadLines(sizes.quads)].join('');
    const filled = await measure('INSERT DATA', `INSERT DATA { ${data} }`, sizes.quads);
    await measure('DELETE DATA', `DELETE DATA { ${data} }`, 0, filled);
    await measure('LOAD', `LOAD <${server.url}>`, sizes.loaded);
    // Makes a flat string, like one that was received. A string of parts would be flattened at its first use, inside the measurement.
    const inserted = Buffer.from(`INSERT DATA { ${iris} }`).toString();
    const long = await measure('INSERT DATA of long texts', inserted, sizes.texts);
    const copy = `INSERT { ?s <${TEXT}/upper> ?u } WHERE { ?s <${TEXT}> ?o BIND(UCASE(?o) AS ?u) }`;
    await measure('INSERT WHERE of long texts', copy, 2 * sizes.texts, long);
  } finally {
    server.close();
    await db.close();
  }
  return figures;
}

async function serveQuads(scratch: string, count: number): Promise<{ readonly url: string; close(): void }> {
  const file = join(scratch, 'quads.nt');
  await writeQuads(file, count);
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/n-triples');
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/quads.nt`, close: () => server.close() };
}
