/** Conflicts of a merge in JSON: their terms as N-Triples. */
import { termToNTriples } from '@quadrille/model';
import type { Conflict } from 'quadrille';

/** A conflict as servers show it. */
export interface ConflictRecord {
  /** The subject. */
  readonly subject: string;
  /** The predicate. */
  readonly predicate: string;
  /** `null`: the default graph. */
  readonly graph: string | null;
  /** The values in the common base. */
  readonly base: readonly string[];
  /** The values on the branch that is merged into. */
  readonly ours: readonly string[];
  /** The values on the branch that is merged. */
  readonly theirs: readonly string[];
}

/** Most characters of all records together: a value may be very long. */
const MOST_CHARACTERS = 4 * 1024 ** 2;

/** The first conflicts, as far as they fit into 4 MiB. */
export function conflictRecords(conflicts: readonly Conflict[]): ConflictRecord[] {
  const records: ConflictRecord[] = [];
  let left = MOST_CHARACTERS;
  for (const conflict of conflicts) {
    const { subject, predicate, graph } = conflict;
    left -= [subject, predicate, ...conflict.base, ...conflict.ours, ...conflict.theirs].reduce(
      (sum, { value }) => sum + value.length,
      0,
    );
    if (left < 0) break;
    const texts = (terms: Conflict['base']): string[] => terms.map(termToNTriples);
    records.push({
      subject: termToNTriples(subject),
      predicate: termToNTriples(predicate),
      graph: graph.termType === 'DefaultGraph' ? null : termToNTriples(graph),
      base: texts(conflict.base),
      ours: texts(conflict.ours),
      theirs: texts(conflict.theirs),
    });
  }
  return records;
}
