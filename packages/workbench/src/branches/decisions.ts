/** What the user has decided of the conflicts of a merge. */
import type { ConflictRecord, MergePreview, Resolution, Side } from '../api/branches.js';

/** A side, or own values as typed: one N-Triples term a line. */
export type Decision = { readonly take: Side } | { readonly own: string };

/** By {@link keyOf}. */
export type Decisions = ReadonlyMap<string, Decision>;

export const keyOf = ({ subject, predicate, graph }: ConflictRecord): string =>
  JSON.stringify([subject, predicate, graph]);

export const linesOf = (own: string): string[] =>
  own
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Whether each line begins and ends as a term does. The server says what else is wrong. */
const isWritten = (line: string): boolean =>
  /^(?:<[^<>\s]+>|_:\S+|<<\(.+\)>>|".*"(?:@[\w-]+|\^\^<[^<>\s]+>)?)$/.test(line);

export const wrongLines = (own: string): string[] => linesOf(own).filter((line) => !isWritten(line));

const isDecided = (decision: Decision | undefined): boolean =>
  decision !== undefined && ('take' in decision || wrongLines(decision.own).length === 0);

/** How many conflicts nothing decides. @param others what is taken for those that are not listed */
export function openConflicts(
  { conflicts, conflictCount }: MergePreview,
  decisions: Decisions,
  others: 'ours' | 'theirs' | undefined,
): number {
  const listed = conflicts.filter((conflict) => !isDecided(decisions.get(keyOf(conflict)))).length;
  return listed + (others === undefined ? conflictCount - conflicts.length : 0);
}

/** The conflicts of a preview as they were decided. Those that are gone since are left out. */
export function resolutionsOf(conflicts: readonly ConflictRecord[], decisions: Decisions): Resolution[] {
  return conflicts.flatMap((conflict): Resolution[] => {
    const decision = decisions.get(keyOf(conflict));
    if (decision === undefined) return [];
    const { subject, predicate, graph } = conflict;
    const place = { subject, predicate, graph };
    return [{ ...place, ...('take' in decision ? decision : { values: linesOf(decision.own) }) }];
  });
}
