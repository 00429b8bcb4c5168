/** Conflicts of a merge: predicates with one value for each subject and graph that both sides have changed in different ways. */
import type * as RDF from '@rdfjs/types';
import { MISS } from '../keyspace/block-cache.js';
import type { Timeline } from '../timeline/timeline.js';
import type { DiffRow } from '../read/diff.js';
import { Snapshot } from '../read/snapshot.js';
import { iri } from '@quadrille/model';
import type { MergeState } from './merge-states.js';

/**
 * Values of a predicate with one value (`settings.functional`) that both branches have changed in different ways.
 * @since 0.1.0
 */
export interface Conflict {
  /** The subject. */
  readonly subject: RDF.Term;
  /** The predicate, one of `settings.functional`. */
  readonly predicate: RDF.Term;
  /** The graph. */
  readonly graph: RDF.Term;
  /** The values in the common base. */
  readonly base: readonly RDF.Term[];
  /** The values on the branch that is merged into. */
  readonly ours: readonly RDF.Term[];
  /** The values on the branch that is merged. */
  readonly theirs: readonly RDF.Term[];
}

/** A conflict by ids. */
export interface IdConflict {
  readonly s: number;
  readonly p: number;
  readonly g: number;
  readonly base: ReadonlySet<number>;
  readonly ours: ReadonlySet<number>;
  readonly theirs: ReadonlySet<number>;
}

/** The states whose values are compared. */
export interface MergedStates {
  readonly base: MergeState;
  readonly ours: MergeState;
  readonly theirs: MergeState;
}

/** @param functional IRIs of predicates with one value; `changes` are those from the base to theirs. */
export async function conflictsOf(
  timeline: Timeline,
  functional: readonly string[],
  changes: Iterable<DiffRow>,
  { base, ours, theirs }: MergedStates,
): Promise<IdConflict[]> {
  const predicates = new Set<number>();
  for (const name of functional) predicates.add(await timeline.encoder.encode(iri(name)));
  predicates.delete(0);
  const groups = new Map<string, DiffRow>();
  if (predicates.size > 0)
    for (const row of changes) if (predicates.has(row.p)) groups.set(`${row.s} ${row.p} ${row.g}`, row);
  const readers = [base, ours, theirs].map((state) => new ValueReader(state));
  const found: IdConflict[] = [];
  try {
    for (const { s, p, g } of groups.values()) {
      const [before, own, other] = await Promise.all(readers.map((reader) => reader.read(s, p, g)));
      const conflict = { s, p, g, base: before!, ours: own!, theirs: other! };
      if (differs(own!, before!) && differs(other!, before!) && differs(own!, other!)) found.push(conflict);
    }
  } finally {
    for (const reader of readers) reader.close();
  }
  return found;
}

const differs = (x: ReadonlySet<number>, y: ReadonlySet<number>): boolean =>
  x.size !== y.size || [...x].some((id) => !y.has(id));

/** Reads the objects of a subject and predicate in a graph. */
class ValueReader {
  readonly #snapshot: Snapshot;

  constructor(private readonly state: MergeState) {
    this.#snapshot = new Snapshot(state.place.timeline, state.place.record);
  }

  async read(s: number, p: number, g: number): Promise<Set<number>> {
    const found = new Set<number>();
    const scan = this.#snapshot.scanQuads({ s, p, o: 0, g });
    try {
      for (let rows = scan.next(); rows !== 0; rows = scan.next()) {
        if (rows === MISS) await scan.fetch();
        else for (let i = scan.start; i < scan.end; i++) found.add(scan.o[i]!);
      }
    } finally {
      scan.close();
    }
    for (const row of this.state.rows.values()) {
      if (row.s !== s || row.p !== p || row.g !== g) continue;
      if (row.op === 1) found.add(row.o);
      else found.delete(row.o);
    }
    return found;
  }

  close(): void {
    this.#snapshot.close();
  }
}

/** A conflict as terms. */
export async function conflictTerms({ decoder }: Timeline, conflict: IdConflict): Promise<Conflict> {
  const terms = (ids: Iterable<number>): Promise<RDF.Term[]> => Promise.all([...ids].map((id) => decoder.decode(id)));
  const [subject, predicate, graph] = await terms([conflict.s, conflict.p, conflict.g]);
  const [base, ours, theirs] = await Promise.all([terms(conflict.base), terms(conflict.ours), terms(conflict.theirs)]);
  return { subject: subject!, predicate: predicate!, graph: graph!, base, ours, theirs };
}
