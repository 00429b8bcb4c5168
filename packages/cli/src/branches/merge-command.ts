/** The options of `quadrille merge`, and what it prints: for a store and for a server. */
import { printTerm } from '@quadrille/model';
import type { Durability, MergePreview, Revision } from 'quadrille';
import type { PlaceOptions } from '../accounts/place.js';
import { revisionLine } from '../lines.js';
import type { CommonOptions, Shell } from '../shell.js';

export interface MergeCommand extends CommonOptions, PlaceOptions {
  readonly message?: string;
  readonly author?: string;
  readonly durability?: Durability;
  readonly upgrade: boolean;
  readonly preview?: boolean;
  readonly fastForward?: boolean;
  readonly strategy?: 'three-way' | 'ours' | 'theirs';
  readonly onConflict?: 'fail' | 'ours' | 'theirs';
}

export const showRevision = (
  { stdout }: Shell,
  revision: Revision,
  { json }: Pick<MergeCommand, 'json'>,
): Promise<void> => (json === true ? stdout.json(revision) : stdout.line(revisionLine(revision)));

/** What a merge would do. */
export type Preview = Omit<MergePreview, 'changes'>;

export async function showPreview(
  { stdout }: Shell,
  preview: Preview,
  { json }: Pick<MergeCommand, 'json'>,
): Promise<void> {
  const { base, added, removed, conflictCount } = preview;
  if (json === true) return stdout.json({ base, added, removed, conflictCount, conflicts: [...conflicts(preview)] });
  await stdout.line(
    `+${String(added)} -${String(removed)}  conflicts: ${String(conflictCount)}  base: #${String(base.number)}`,
  );
  for (const { subject, predicate, graph, base: before, ours, theirs } of conflicts(preview))
    await stdout.line(
      `${subject} ${predicate} ${graph}  base: ${list(before)}  ours: ${list(ours)}  theirs: ${list(theirs)}`,
    );
}

const list = (terms: readonly string[]): string => (terms.length === 0 ? '-' : terms.join(' '));

function* conflicts({
  conflicts: found,
}: Preview): Generator<
  Record<'subject' | 'predicate' | 'graph', string> & Record<'base' | 'ours' | 'theirs', string[]>
> {
  for (const { subject, predicate, graph, base, ours, theirs } of found)
    yield {
      subject: printTerm(subject),
      predicate: printTerm(predicate),
      graph: printTerm(graph),
      base: base.map(printTerm),
      ours: ours.map(printTerm),
      theirs: theirs.map(printTerm),
    };
}
