/**
 * Runs the same queries by Quadrille, in this process, and by Oxigraph (WASM) in a process of its own, in turn. Compares the answers
 * first. A ratio is the time of Oxigraph divided by that of Quadrille. Each process takes its own time, without the way between them.
 */
import { join } from 'node:path';
import { open } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import { Peer, type PeerCommand } from '../peers/peer-process.js';
import { OXIGRAPH_PEER } from '../peers/peers.js';
import { runQuery } from '../stores/open-quadrille.js';
import { bounded, figure, type Figure, type Figures } from '../workload.js';
import type { QueryBackend } from './backend.js';
import { outcomeOf } from './peer-outcome.js';
import { figuresOf, figureWithout, type QueryCase, type Ratios, SHORT_BUDGET, summaryOf } from './ratios.js';

const LEAST_RATIO = 0.5;
/** Longest time of one query by either, in milliseconds. */
const LIMIT_MS = 60_000;

export interface Stores {
  /** Runs a query by Quadrille. */
  readonly run: QueryBackend['run'];
  readonly peer: Peer;
  close(): Promise<void>;
}

/** Loads a file into both stores. The peer and its limit are other ones in tests. */
export async function openBoth(
  file: string,
  scratch: string,
  program: PeerCommand = OXIGRAPH_PEER,
  limitMs = LIMIT_MS,
): Promise<Stores> {
  const peer = await Peer.open(program, join(scratch, 'peer'), file, { runMs: limitMs, answerMs: limitMs });
  try {
    const db = await open(join(scratch, 'store'));
    const repository = await db.repository(REPOSITORY, { create: true });
    await repository.load(file);
    const close = async (): Promise<void> => {
      await peer.close();
      await db.close();
    };
    return { run: (text, digest) => runQuery(repository, text, digest, limitMs), peer, close };
  } catch (error) {
    await peer.close();
    throw error;
  }
}

/**
 * The ratios of each case, for new and for repeated texts; their geometric means, and how many are below half. Where Oxigraph did not
 * end, the ratios are at least those of its limit.
 */
export async function compareWithOxigraph(
  set: string,
  cases: Iterable<QueryCase>,
  { run, peer }: Stores,
): Promise<Figures> {
  const figures: Record<string, Figure> = {};
  const all: Ratios[] = [];
  const count = { ratios: 0, late: 0, failed: 0, differs: 0 };
  const timed = async (text: string): Promise<number> => {
    const begin = performance.now();
    await run(text);
    return performance.now() - begin;
  };
  for (const { name, texts } of cases) {
    const outcome = await outcomeOf(texts, { run, timed, peer, budget: SHORT_BUDGET });
    count[outcome.type]++;
    if ('why' in outcome) {
      Object.assign(figures, figureWithout(`${set}: ${name}`, outcome.type, outcome.why, texts[0]!));
      continue;
    }
    const late = outcome.type === 'late';
    all.push(outcome.ratios);
    Object.assign(figures, figuresOf(`${set}: ${name}`, outcome.ratios, late ? 'Oxigraph did not end' : undefined));
  }
  figures[`${set}: Oxigraph did not end in ${peer.limits.runMs / 1000} s`] = figure(count.late, 'queries');
  figures[`${set}: failed`] = bounded(count.failed, 'queries', { most: 0 });
  figures[`${set}: answers that differ`] = bounded(count.differs, 'queries', { most: 0 });
  if (all.length === 0) return figures;
  return { ...figures, ...summaryOf(set, all, { name: 'below half', value: LEAST_RATIO }) };
}
