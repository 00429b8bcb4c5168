/**
 * Runs the same queries by Quadrille, in this process, and by a native store in a process of its own. Compares the
 * answers first. A ratio is the time of the peer divided by that of Quadrille. Both read the text of each term.
 */
import { join } from 'node:path';
import { open } from 'quadrille';
import type { Repository } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import { Peer, PEER_LIMITS, type PeerCommand, PeerError, PeerTimeout } from '../peers/peer-process.js';
import type { PeerName } from '../peers/names.js';
import { preparePeer } from '../peers/peers.js';
import { readTexts, runQuery } from '../stores/open-quadrille.js';
import { figure, type Figure, type Figures } from '../workload.js';
import { AnswerDigest, isOfAnyRows } from './answer.js';
import { KINDS, printRatios, type QueryCase, type RatioBudget, type Ratios, ratiosOf, summaryOf } from './ratios.js';

/** Virtual machines of peers compile while they run, so they get more time than Oxigraph in this process. */
const BUDGET: RatioBudget = { repeatMs: 500, newMs: 500 };
/** Number of our runs that are compared with the limit, if the peer exceeds it. */
const OUR_RUNS = 3;

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

/** What became of a query. */
type Outcome =
  | { readonly type: 'ratios'; readonly ratios: Ratios }
  /** The peer was stopped at its limit: the true ratios are greater. */
  | { readonly type: 'late'; readonly ratios: Ratios }
  | { readonly type: 'differs' | 'failed'; readonly why: string };

/**
 * The ratios of each case; their geometric means, the least, and how many are below 1. Counts queries that exceeded the
 * limit, that the peer refused, and whose answers differ; names the latter two.
 */
export async function compareWithPeer(set: string, cases: Iterable<QueryCase>, stores: WithPeer): Promise<Figures> {
  const figures: Record<string, Figure> = {};
  const all: Ratios[] = [];
  const count = { late: 0, failed: 0, differs: 0 };
  for (const { name, texts } of cases) {
    const outcome = await outcomeOf(texts, stores);
    if (outcome.type !== 'ratios') count[outcome.type]++;
    if ('why' in outcome) {
      console.error(`${set}: ${name}: ${outcome.why}: ${texts[0]!}`);
      figures[`${set}: ${name}, ${outcome.type === 'failed' ? 'failed' : 'answer differs'}`] = figure(1, 'query');
      continue;
    }
    const { ratios } = outcome;
    const late = outcome.type === 'late';
    all.push(ratios);
    printRatios(`${set}: ${name}`, ratios, late ? ', over the limit' : '');
    for (const kind of KINDS) {
      figures[`${set}: ${name}, ${kind}`] = { ...figure(ratios[kind], 'x'), ...(late ? { atLeast: true } : {}) };
    }
  }
  figures[`${set}: over ${stores.peer.limits.runMs / 1000} s`] = figure(count.late, 'queries');
  figures[`${set}: failed`] = figure(count.failed, 'queries');
  figures[`${set}: answers that differ`] = figure(count.differs, 'queries');
  return all.length === 0 ? figures : { ...figures, ...summaryOf(set, all, { name: 'below 1', value: 1 }) };
}

async function outcomeOf(texts: readonly string[], { repository, peer }: WithPeer): Promise<Outcome> {
  const limitMs = peer.limits.runMs;
  const ours = async (text: string): Promise<number> => {
    const begin = performance.now();
    await readTexts(repository, text);
    return performance.now() - begin;
  };
  try {
    // The limit is that of a run whose answer is not written.
    await peer.run(texts[0]!);
    const why = await differenceOf(texts[0]!, repository, peer);
    if (why !== undefined) return { type: 'differs', why };
    const theirs = async (text: string): Promise<number> => (await peer.run(text)).ms;
    return { type: 'ratios', ratios: await ratiosOf(texts, [ours, theirs], BUDGET) };
  } catch (error) {
    if (!(error instanceof PeerError)) return { type: 'failed', why: `Quadrille failed: ${String(error)}` };
    if (!(error instanceof PeerTimeout && error.limitMs === limitMs)) {
      return { type: 'failed', why: `the peer failed: ${error.message}` };
    }
    const limit = async (): Promise<number> => limitMs;
    return { type: 'late', ratios: await ratiosOf(texts.slice(0, OUR_RUNS), [ours, limit], BUDGET) };
  }
}

async function differenceOf(text: string, repository: Repository, peer: Peer): Promise<string | undefined> {
  const [ours, theirs] = [new AnswerDigest(), new AnswerDigest()];
  const found = [await runQuery(repository, text, ours), (await peer.run(text, theirs)).rows] as const;
  if (found[0] !== found[1]) return `${found[0]} rows, but the peer ${found[1]}`;
  return isOfAnyRows(text) || ours.value === theirs.value ? undefined : `${found[0]} rows, but the peer others`;
}
