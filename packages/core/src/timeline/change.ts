/** What a line is asked to change: the description of a commit, a small change, and a switch to other runs or records. */
import type { WriteOp } from '@quadrille/storage';
import { FOREVER } from '../format/layout.js';
import type { Memtable } from '../index/index-version.js';
import type { StateChange } from './state.js';
import type { RevisionBody, RevisionRecord, RunPayload, EndedQuads } from '../revision/record.js';
import type { Lineage } from '../revision/record-fields.js';
import type { Pacer } from '../runtime/env.js';
import type { Run } from '../index/run/run.js';
import { type IdQuads, EndedColumns, NO_QUADS, QuadColumns, QuadSet, sortQuads } from '../index/quad-columns.js';
import { MISS } from '../keyspace/block-cache.js';
import { type IndexAt, findInterval } from '../index/read/find-interval.js';
import { ConflictError } from '@quadrille/model';

/** The checked description of a commit. */
export interface CommitMeta {
  readonly author?: string | undefined;
  readonly message?: string | undefined;
  /** The UUID of the revision, if it can follow the head's. */
  readonly id?: Uint8Array | undefined;
  /** Number that the head must have. Otherwise the commit fails with `REVISION_CONFLICT`. */
  readonly ifRevision?: number | undefined;
  /** Throws if the commit may not follow the staged head. Called under the write lock. */
  readonly validate?: (() => void) | undefined;
  /** Called under the write lock when the change is known, before {@link also}, for what that has to read. */
  readonly locked?: (() => Promise<void>) | undefined;
  /** For imported histories: replaces the description of the revision, or throws if the revision must not be. */
  readonly describe?: ((body: RevisionBody) => RevisionBody) | undefined;
  /** How the revision was made, if not by an ordinary commit. A merge is a revision even where no quad changes. */
  readonly lineage?: Lineage | undefined;
  /** Further writes for the batch that publishes the revision. They take precedence over those of its record. */
  readonly also?: ((record: RevisionRecord) => readonly WriteOp[]) | undefined;
}

/** What a check of a change has found that does not refuse it. */
export interface Found {
  /** Violations of the shapes. */
  readonly violations: number;
}

/** A small change that is to become the revision after the staged head. */
export interface SmallChange {
  readonly meta: CommitMeta;
  readonly pacer: Pacer;
  /**
   * Makes the net change against the staged head, which does not move meanwhile. `undefined` ends the attempt without effect: the change does
   * not fit into a record.
   */
  readonly prepare: () => NetChange | undefined | Promise<NetChange | undefined>;
  /** @throws if nothing may be staged. Default: the error of the line */
  readonly check?: () => void;
  /** Whether a change without effect makes a revision, too. */
  readonly always?: boolean;
}

/** A revision that is staged. An object, because a promise would be awaited under the lock. */
export interface Staged {
  /** Resolves when the revision is durable. Without a net change it is the head. */
  readonly durable: Promise<RevisionRecord>;
}

/** A change of what the state consists of: runs, records, the manifest. */
export interface Switch {
  /** Its one write. */
  readonly ops: readonly WriteOp[];
  /** The revision that it adds, if it adds one. */
  readonly next?: NextRevision;
  /** The change of the state in memory, in the turn in which the write has ended. Nothing changes it before. */
  readonly publish: () => StateChange;
}

/** The revision that follows the staged head, and its encoded record. */
export interface NextRevision {
  readonly record: RevisionRecord;
  /** The writes of its record. */
  readonly ops: readonly WriteOp[];
}

/** Applies the delta of a record to a memtable. Commits use it, and the replay of the log. */
export function applyDelta(memtable: Memtable, record: Pick<RevisionRecord, 'number' | 'added' | 'removed'>): void {
  const { added, removed, number } = record;
  for (let i = 0; i < removed.length; i++) {
    const s = removed.s[i]!;
    const p = removed.p[i]!;
    const o = removed.o[i]!;
    const g = removed.g[i]!;
    const from = removed.from[i]!;
    const row = memtable.added.latest(s, p, o, g);
    if (row !== -1 && memtable.added.columns[4][row] === from) memtable.added.end(row, number);
    else memtable.removed.add(s, p, o, g, from, number);
  }
  for (let i = 0; i < added.length; i++) {
    memtable.added.add(added.s[i]!, added.p[i]!, added.o[i]!, added.g[i]!, number, FOREVER);
  }
}

/** A change that is about to be staged. */
export interface ProposedChange extends NetChange {
  /** The part that is written aside. */
  readonly aside?: {
    /** Its runs, with the revision that the change will have. */
    readonly runs: readonly Run[];
    readonly payload: RunPayload;
    /** Number of its quads. */
    readonly count: number;
  };
}

const NONE_ENDED = new EndedColumns();
/** Quads compared between two looks at the clock. */
const QUADS_AT_ONCE = 128;

export interface NetChange {
  readonly added: IdQuads;
  readonly removed: EndedQuads;
}

/**
 * Compares a change with the staged head. A quad that is both removed and added is present afterwards. The change
 * must be small enough for a revision record.
 */
export function netChange(at: IndexAt, added: IdQuads, removed: IdQuads, pacer: Pacer): NetChange | Promise<NetChange> {
  // Most commits add a single quad: they need no sets, and nothing to wait for.
  if (added.length === 1 && removed.length === 0) {
    const known = at.index.findInterval(added.s[0]!, added.p[0]!, added.o[0]!, added.g[0]!);
    if (known !== MISS) return { added: known === 0 ? added : NO_QUADS, removed: NONE_ENDED };
  }
  return netChangeOfMany(at, added, removed, pacer);
}

async function netChangeOfMany(at: IndexAt, added: IdQuads, removed: IdQuads, pacer: Pacer): Promise<NetChange> {
  const net = { added: new QuadColumns(added.length), removed: new EndedColumns(removed.length) };
  const addedOnce = new QuadSet(added.length);
  for (let i = 0; i < added.length; i++) {
    const [s, p, o, g] = [added.s[i]!, added.p[i]!, added.o[i]!, added.g[i]!];
    if (!addedOnce.add(s, p, o, g)) continue;
    const known = at.index.findInterval(s, p, o, g);
    if ((known === MISS ? await findInterval(at, s, p, o, g) : known) === 0) net.added.push(s, p, o, g);
    if (i % QUADS_AT_ONCE === QUADS_AT_ONCE - 1 && pacer.due()) await pacer.pause();
  }
  const removedOnce = new QuadSet(removed.length);
  for (let i = 0; i < removed.length; i++) {
    const [s, p, o, g] = [removed.s[i]!, removed.p[i]!, removed.o[i]!, removed.g[i]!];
    if (addedOnce.has(s, p, o, g) || !removedOnce.add(s, p, o, g)) continue;
    const known = at.index.findInterval(s, p, o, g);
    const interval = known === MISS ? await findInterval(at, s, p, o, g) : known;
    if (interval !== 0) net.removed.pushEnded(s, p, o, g, interval);
    if (i % QUADS_AT_ONCE === QUADS_AT_ONCE - 1 && pacer.due()) await pacer.pause();
  }
  return { added: sortQuads(net.added), removed: sortQuads(net.removed) };
}

/** Whether the error says that other commits were made first. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ConflictError && error.code === 'REVISION_CONFLICT';
