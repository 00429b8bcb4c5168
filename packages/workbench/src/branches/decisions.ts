/** What the user has decided of the conflicts of a merge. */
import type { ConflictRecord, MergePreview, Resolution, Side } from '../api/branches.js';
import { namespaces } from '../state/repository.js';
import { type Taken, typedTerms } from '../terms/typed-term.js';

/** A side, or own values as typed: one term a line. */
export type Decision = { readonly take: Side } | { readonly own: string };

/** By {@link keyOf}. */
export type Decisions = ReadonlyMap<string, Decision>;

export const keyOf = ({ subject, predicate, graph }: ConflictRecord): string =>
  JSON.stringify([subject, predicate, graph]);

export const OWN_VALUES: Taken = { literals: true, others: true };

const ownValues = (own: string): ReturnType<typeof typedTerms> => typedTerms(own, namespaces.value, OWN_VALUES);

const isDecided = (decision: Decision | undefined): boolean =>
  decision !== undefined && ('take' in decision || ownValues(decision.own).problem === undefined);

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
    return [{ ...place, ...('take' in decision ? decision : { values: ownValues(decision.own).terms }) }];
  });
}
