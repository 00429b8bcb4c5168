/** Deletes indexes of values, as stores without one do too: so that those load nothing more. */
import type { WriteOp } from '@quadrille/storage';
import type { Dictionary } from '../dictionary/dictionary.js';
import { readU32, Tag } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';

/** The tags of each index of a dictionary. */
const TAGS = {
  textIndex: [Tag.textIndex, Tag.textPart],
  orderIndex: [Tag.orderIndex, Tag.orderPart],
  vectorIndex: [Tag.vectorIndex, Tag.vectorPart],
} as const;
type Kind = keyof typeof TAGS;
const KINDS = Object.keys(TAGS) as Kind[];

/** Forgets all values, because terms were deleted. The caller holds the maintenance lock. */
export async function forgetValues(dictionary: Dictionary, kinds: readonly Kind[] = KINDS): Promise<void> {
  for (const kind of kinds) {
    const index = dictionary[kind];
    if (index !== undefined) await index.clear();
    else if (await hasAny(dictionary.keyspace, kind)) await dictionary.write(deletions(dictionary.keyspace, kind));
  }
}

async function hasAny(keyspace: Keyspace, kind: Kind): Promise<boolean> {
  for (const tag of TAGS[kind])
    for await (const entries of keyspace.range(keyspace.tagRange(tag), { read: 'keys' }))
      if (entries.length > 0) return true;
  return false;
}

/** The deletions of all that an index has. */
export const deletions = (keyspace: Keyspace, kind: Kind): WriteOp[] =>
  TAGS[kind].map((tag) => ({ type: 'deleteRange', ...keyspace.tagRange(tag) }));

/** Deletes the vectors that a function has made of texts, but for those of terms that are used: nothing of the others stays. */
export async function dropEmbeddings(
  { keyspace }: Pick<Dictionary, 'keyspace'>,
  used: { has(id: number): boolean },
): Promise<void> {
  for await (const entries of keyspace.range(keyspace.tagRange(Tag.embedding), { read: 'keys' })) {
    const gone = entries.filter(
      ({ key }) => key.length > keyspace.tagEnd && !used.has(readU32(key, keyspace.tagEnd + 4)),
    );
    if (gone.length > 0) await keyspace.write(gone.map(({ key }) => ({ type: 'delete', key })));
  }
}

/** The deletions of all indexes of values. */
export const withoutValues = (keyspace: Keyspace): WriteOp[] => KINDS.flatMap((kind) => deletions(keyspace, kind));
