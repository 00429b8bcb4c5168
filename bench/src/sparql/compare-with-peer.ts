/**
 * Runs the same queries by Quadrille, in this process, and by a native store in a process of its own. Compares the
 * answers first. A ratio is the time of the peer divided by that of Quadrille. Both read the text of each term.
 */
import { join } from 'node:path';
import { open } from 'quadrille';
import type { Repository } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import { Peer, PEER_LIMITS, type PeerCommand } from '../peers/peer-process.js';
import type { PeerName } from '../peers/names.js';
import { preparePeer } from '../peers/peers.js';
import { readTexts, runQuery } from '../stores/open-quadrille.js';
import { figure, type Figure, type Figures } from '../workload.js';
import { type Compared, outcomeOf } from './peer-outcome.js';
import { figuresOf, figureWithout, type QueryCase, type RatioBudget, type Ratios, summaryOf } from './ratios.js';

/** Virtual machines of peers compile while they run, so they get more time than Oxigraph in this process. */
const BUDGET: RatioBudget = { repeatMs: 500, newMs: 500 };

export interface WithPeer {
  readonly repository: Repository;
  readonly peer: Peer;
  close(): Promise<void>;
}

/** Loads a file into both stores, in a directory. The peer is one of ours, or any program that talks like them. */
export async function openWithPeer(
  named: PeerName | PeerCommand,
  file: string,
  scratch: string,
  limits = PEER_LIMITS,
): Promise<WithPeer> {
  const program = typeof named === 'string' ? preparePeer(named) : named;
  const peer = await Peer.open(program, join(scratch, 'peer'), file, limits);
  try {
    const db = await open(join(scratch, 'store'));
    const repository = await db.repository(REPOSITORY, { create: true });
    await repository.load(file);
    const quads = await repository.size();
    console.error(peer.version);
    if (peer.quads !== quads) console.error(`${peer.version}: ${peer.quads} quads instead of ${quads}`);
    const close = async (): Promise<void> => {
      await peer.close();
      await db.close();
    };
    return { repository, peer, close };
  } catch (error) {
    await peer.close();
    throw error;
  }
}

/**
 * The ratios of each case; their geometric means, the least, and how many are below 1. Counts queries that exceeded the
 * limit, that the peer refused, and whose answers differ; names the latter two.
 */
export async function compareWithPeer(set: string, cases: Iterable<QueryCase>, stores: WithPeer): Promise<Figures> {
  const figures: Record<string, Figure> = {};
  const all: Ratios[] = [];
  const count = { late: 0, failed: 0, differs: 0 };
  const compared = comparedOf(stores);
  for (const { name, texts } of cases) {
    const outcome = await outcomeOf(texts, compared);
    if (outcome.type !== 'ratios') count[outcome.type]++;
    if ('why' in outcome) {
      Object.assign(figures, figureWithout(`${set}: ${name}`, outcome.type, outcome.why, texts[0]!));
      continue;
    }
    const { ratios } = outcome;
    const late = outcome.type === 'late';
    all.push(ratios);
    Object.assign(figures, figuresOf(`${set}: ${name}`, ratios, late ? 'over the limit' : undefined));
  }
  figures[`${set}: over ${stores.peer.limits.runMs / 1000} s`] = figure(count.late, 'queries');
  figures[`${set}: failed`] = figure(count.failed, 'queries');
  figures[`${set}: answers that differ`] = figure(count.differs, 'queries');
  return all.length === 0 ? figures : { ...figures, ...summaryOf(set, all, { name: 'below 1', value: 1 }) };
}

function comparedOf({ repository, peer }: WithPeer): Compared {
  const { runMs, answerMs } = peer.limits;
  const timed = async (text: string): Promise<number> => {
    const begin = performance.now();
    await readTexts(repository, text, runMs);
    return performance.now() - begin;
  };
  return { run: (text, digest) => runQuery(repository, text, digest, answerMs), timed, peer, budget: BUDGET };
}
