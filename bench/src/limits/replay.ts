/**
 * Replays a history by transactions. Compares this with loads of as many quads: one load per difference, and one load
 * of all.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type * as RDF from '@rdfjs/types';
import { parseQuads } from '@quadrille/formats';
import type { Database } from 'quadrille';
import { checkCount } from '../data-sets.js';
import type { Figures } from '../workload.js';
import { bounded, figure } from '../workload.js';
import { watched } from './watched.js';

/** A version in `manifest.json`. The first version is a whole document; each later one has added and deleted quads. */
interface Version {
  readonly added: number;
  readonly deleted: number;
  readonly total: number;
  readonly full: string;
  readonly add: string;
  readonly del: string;
}

interface Difference {
  readonly added: readonly RDF.Quad[];
  readonly removed: readonly RDF.Quad[];
  readonly total: number;
}

/** Smallest accepted rate, as a share of the rate of a load. */
const LEAST_SHARE = 0.5;
const FORMAT = 'application/n-quads';

/** Replays at most `most` versions after the first one, in new repositories. */
export async function measureReplay(db: Database, folder: string, most = Infinity): Promise<Figures> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Version[];
  const [first, ...later] = manifest.slice(0, most + 1) as [Version, ...Version[]];
  const changes = later.reduce((sum, { added, deleted }) => sum + added + deleted, 0);

  const documents: Buffer[] = [];
  for (const { add, del } of later) {
    documents.push(Buffer.concat([await unpacked(folder, del), await unpacked(folder, add)]));
  }
  const loaded = await db.repository('bench/loaded', { create: true });
  const load = await watched('load', async () => {
    for (const document of documents) await loaded.load(document, { format: FORMAT });
  });
  const whole = await db.repository('bench/whole', { create: true });
  const all = Buffer.concat(documents);
  const wholeLoad = await watched('load as one', () => whole.load(all, { format: FORMAT }));

  const replayed = await db.repository('bench/replayed', { create: true });
  await replayed.load(await unpacked(folder, first.full), { format: FORMAT });
  const differences: Difference[] = [];
  for (const { add, del, total } of later) {
    differences.push({ added: await quadsOf(folder, add), removed: await quadsOf(folder, del), total });
  }
  const replay = await watched('replay', async () => {
    for (const { added, removed, total } of differences) {
      await replayed.transaction(async (transaction) => {
        await transaction.remove(removed);
        await transaction.add(added);
      });
      checkCount('replay', await replayed.size(), total);
    }
  });
  return {
    ...load.figures,
    ...wholeLoad.figures,
    ...replay.figures,
    'load: rate': figure(changes / load.seconds, 'quads/s'),
    'load as one: rate': figure(changes / wholeLoad.seconds, 'quads/s'),
    'replay: rate': figure(changes / replay.seconds, 'changes/s'),
    'replay beside load': bounded(load.seconds / replay.seconds, 'ratio', { least: LEAST_SHARE }),
  };
}

const unpacked = async (folder: string, file: string): Promise<Buffer> =>
  gunzipSync(await readFile(join(folder, file)));

async function quadsOf(folder: string, file: string): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  const text = (await unpacked(folder, file)).toString();
  for await (const quad of parseQuads(text, { format: FORMAT })) quads.push(quad);
  return quads;
}
