/** Tells which revisions have texts whose vectors no function has made yet. */
import { NotFoundError } from '@quadrille/model';
import { toHex } from '../format/byte-codec.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { LineKeyspace } from '../keyspace/line-keyspace.js';
import { readRecord } from '../revision/log.js';
import { MAIN_LINE } from '../timeline/line-record.js';
import type { Timeline } from '../timeline/timeline.js';
import type { EmbeddedVectors } from '../vectors/embedded-vectors.js';

/** A line of history: its own revisions up to one of them. */
export interface Stretch {
  readonly keyspace: Keyspace;
  readonly line: number;
  readonly first: number;
  readonly last: number;
  /** Its newest revision, which may be later: another line may begin before it. */
  readonly head: number;
}

/** The line, and those that it stands on. */
export function stretchesOf(timeline: Timeline): Stretch[] {
  const found: Stretch[] = [];
  let last = timeline.published.number;
  for (let at: Timeline | undefined = timeline; at !== undefined;) {
    const { keyspace, firstOwn, base, published }: Timeline = at;
    const line = keyspace instanceof LineKeyspace ? keyspace.line : MAIN_LINE;
    found.push({ keyspace, line, first: firstOwn, last, head: published.number });
    last = Math.min(last, base?.fork ?? 0);
    at = base?.timeline;
  }
  return found;
}

/** Where the literals of a stretch begin that may have no vectors. */
export async function firstNew({ keyspace, line, first, head }: Stretch, vectors: EmbeddedVectors): Promise<number> {
  const done = await vectors.done(line);
  if (done === undefined || done.number < first || done.number > head) return first;
  try {
    return toHex((await readRecord(keyspace, done.number)).id) === done.id ? done.number + 1 : first;
  } catch (error) {
    if (error instanceof NotFoundError) return first;
    throw error;
  }
}

/** The share of the revisions of a line whose literals have their vectors, from 0 to 1. */
export async function embeddedShare(timeline: Timeline, vectors: EmbeddedVectors): Promise<number> {
  const [own] = stretchesOf(timeline);
  const { first, last } = own!;
  return last < first ? 1 : ((await firstNew(own!, vectors)) - first) / (last - first + 1);
}
