/** Records of a server as the client gives them. */
import { parseTerm } from '@quadrille/formats';
import { defaultGraph } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { BranchInfo, Conflict, MergePreview, Revision } from './types.js';

export interface RevisionRecord {
  readonly uuid: string;
  readonly ordinal: number;
  readonly datetime: string;
  readonly predecessor: string | null;
  readonly added: number;
  readonly removed: number;
  readonly size: number;
  readonly agent: string | null;
  readonly message: string | null;
  readonly kind?: Revision['kind'];
  readonly parents?: readonly string[];
  readonly origin?: string;
  readonly violations?: number;
  readonly branch?: string | null;
}

export interface BranchRecord {
  readonly name: string;
  readonly head: RevisionRecord;
  readonly fork?: RevisionRecord;
}

interface ConflictRecord extends Readonly<Record<'base' | 'ours' | 'theirs', readonly string[]>> {
  readonly subject: string;
  readonly predicate: string;
  readonly graph: string | null;
}

export interface MergePreviewRecord extends Omit<MergePreview, 'base' | 'conflicts'> {
  readonly base: RevisionRecord;
  readonly conflicts: readonly ConflictRecord[];
}

export function revisionOf(record: RevisionRecord): Revision {
  const { uuid, predecessor, kind = 'commit', parents, origin, violations, branch } = record;
  return {
    id: uuid,
    number: record.ordinal,
    parent: predecessor ?? undefined,
    parents: parents ?? (predecessor === null ? [] : [predecessor]),
    kind,
    ...(origin !== undefined && { origin }),
    ...(violations !== undefined && { violations }),
    time: new Date(record.datetime),
    author: record.agent ?? undefined,
    message: record.message ?? undefined,
    added: record.added,
    removed: record.removed,
    size: record.size,
    ...(typeof branch === 'string' && { branch }),
  };
}

export const branchOf = ({ name, head, fork }: BranchRecord): BranchInfo => ({
  name,
  head: revisionOf(head),
  ...(fork !== undefined && { fork: revisionOf(fork) }),
});

export const graphOf = (text: string | null): RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph =>
  text === null ? defaultGraph() : (parseTerm(text) as RDF.NamedNode);

const conflictOf = ({ subject, predicate, graph, base, ours, theirs }: ConflictRecord): Conflict => ({
  subject: parseTerm(subject),
  predicate: parseTerm(predicate),
  graph: graphOf(graph),
  base: base.map((term) => parseTerm(term)),
  ours: ours.map((term) => parseTerm(term)),
  theirs: theirs.map((term) => parseTerm(term)),
});

export const mergePreviewOf = ({ base, conflicts, ...counts }: MergePreviewRecord): MergePreview => ({
  base: revisionOf(base),
  added: counts.added,
  removed: counts.removed,
  conflictCount: counts.conflictCount,
  conflicts: conflicts.map(conflictOf),
});
