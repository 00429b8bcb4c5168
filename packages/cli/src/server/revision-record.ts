/** Revisions as servers tell them. */
import type { Revision } from 'quadrille';

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
}

/** The same as the library has it. */
export const revisionOf = ({
  uuid,
  ordinal,
  datetime,
  predecessor,
  added,
  removed,
  size,
  agent,
  message,
  kind = 'commit',
  parents = predecessor === null ? [] : [predecessor],
  origin,
  violations,
}: RevisionRecord): Revision => ({
  id: uuid,
  number: ordinal,
  parent: predecessor ?? undefined,
  parents,
  kind,
  ...(origin !== undefined && { origin }),
  ...(violations !== undefined && { violations }),
  time: new Date(datetime),
  author: agent ?? undefined,
  message: message ?? undefined,
  added,
  removed,
  size,
});
