/**
 * What becomes of a query that Quadrille runs in this process, and a peer in a process of its own: two ratios, unless the answers differ,
 * the peer exceeds its limit, or one of both fails.
 */
import { PeerError, PeerTimeout, type Peer } from '../peers/peer-process.js';
import { AnswerDigest, isOfAnyRows } from './answer.js';
import type { QueryBackend } from './backend.js';
import { type RatioBudget, type Ratios, ratiosOf, type TimedRun } from './ratios.js';

/** Number of our runs that are compared with the limit, if the peer exceeds it. */
const OUR_RUNS = 3;

export interface Compared {
  /** Runs a query by Quadrille, for its answer. */
  readonly run: QueryBackend['run'];
  /** The same for its time: it reads as much of the answer as the peer does. */
  readonly timed: TimedRun;
  readonly peer: Peer;
  readonly budget: RatioBudget;
}

export type Outcome =
  | { readonly type: 'ratios'; readonly ratios: Ratios }
  /** The peer was stopped at its limit: the true ratios are greater. */
  | { readonly type: 'late'; readonly ratios: Ratios }
  | { readonly type: 'differs' | 'failed'; readonly why: string };

export async function outcomeOf(texts: readonly string[], compared: Compared): Promise<Outcome> {
  const { timed, peer, budget } = compared;
  const limitMs = peer.limits.runMs;
  try {
    // The limit is that of a run whose answer is not written.
    await peer.run(texts[0]!);
    const why = await differenceOf(texts[0]!, compared);
    if (why !== undefined) return { type: 'differs', why };
    const theirs = async (text: string): Promise<number> => (await peer.run(text)).ms;
    return { type: 'ratios', ratios: await ratiosOf(texts, [timed, theirs], budget) };
  } catch (error) {
    if (!(error instanceof PeerError)) return { type: 'failed', why: `Quadrille failed: ${String(error)}` };
    if (!(error instanceof PeerTimeout && error.limitMs === limitMs)) {
      return { type: 'failed', why: `the peer failed: ${error.message}` };
    }
    const limit = async (): Promise<number> => limitMs;
    return ratiosOf(texts.slice(0, OUR_RUNS), [timed, limit], budget).then(
      (ratios) => ({ type: 'late', ratios }),
      (reason: unknown) => ({ type: 'failed', why: `Quadrille failed: ${String(reason)}` }),
    );
  }
}

async function differenceOf(text: string, { run, peer }: Compared): Promise<string | undefined> {
  const [ours, theirs] = [new AnswerDigest(), new AnswerDigest()];
  const found = [await run(text, ours), (await peer.run(text, theirs)).rows] as const;
  if (found[0] !== found[1]) return `${found[0]} rows, but the peer ${found[1]}`;
  return isOfAnyRows(text) || ours.value === theirs.value ? undefined : `${found[0]} rows, but the peer others`;
}
