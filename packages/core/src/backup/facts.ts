/**
 * What a backup knows of each repository, so that a later backup need not read again what cannot have changed. The
 * facts are read before the state that the backup copies, so each of them also holds in that state.
 */
import { QuadrilleError } from '@quadrille/model';
import type { Bytes, StorageEngine } from '@quadrille/storage';
import { fromJson } from '../catalogue/catalogue.js';
import type { RepositoryRecord } from '../catalogue/repository-records.js';
import { ByteReader, toHex } from '../format/byte-codec.js';
import { afterPrefix, Area, areaKey, dataKey, readU32, Tag, TERM_BLOCK_IDS } from '../format/layout.js';
import { decodeRoot } from '../open/manifest.js';
import { decodeHead, decodeRecord } from '../revision/record.js';

export interface RepositoryFacts {
  /** Number of the newest revision. */
  readonly head: number;
  /** Revisions use only dictionary ids below this one, which are never assigned again. */
  readonly termMark: number;
  /** Ids below are in full blocks. */
  readonly blockMark: number;
  /** Lower numbers of runs are not used again. */
  readonly nextRun: number;
  readonly nextHashRun: number;
  /** The mark of `keyspace/rewritten.ts`; empty if there is none. */
  readonly rewritten: string;
}

const TAGS = [Tag.head, Tag.root, Tag.dictionary, Tag.rewritten] as const;
/** Number of repositories whose facts are read together. */
const AT_ONCE = 64;

/** The facts of all repositories, by their number. A repository whose data cannot be decoded has none. */
export async function readFacts(engine: StorageEngine): Promise<Map<number, RepositoryFacts>> {
  const ids: number[] = [];
  const head = areaKey(Area.repository);
  for await (const chunk of engine.range({ gte: head, lt: afterPrefix(head) }))
    for (const { value } of chunk) ids.push((fromJson(value) as RepositoryRecord).id);
  const facts = new Map<number, RepositoryFacts>();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const values = await engine.getMany(some.flatMap((id) => TAGS.map((tag) => dataKey(id, tag))));
    const heads = some.map((_, i) => values[i * TAGS.length]);
    const records = await engine.getMany(some.map((id, i) => dataKey(id, Tag.log, numberIn(heads[i]))));
    for (const [i, id] of some.entries()) {
      const own = values.slice(i * TAGS.length, (i + 1) * TAGS.length);
      const decoded = tryDecode(own, records[i]);
      if (decoded !== undefined) facts.set(id, decoded);
    }
  }
  return facts;
}

const numberIn = (head: Bytes | undefined): number => (head === undefined ? 0 : decodeHead(head).number);

function tryDecode(
  [head, root, dictionary, rewritten]: (Bytes | undefined)[],
  record: Bytes | undefined,
): RepositoryFacts | undefined {
  if (head === undefined || root === undefined || record === undefined) return undefined;
  try {
    const reader = dictionary && new ByteReader(dictionary);
    // Next id, block mark, seed of the hash, next hash run.
    reader?.varint();
    const blockMark = reader?.varint() ?? 0;
    reader?.u32();
    return {
      head: decodeHead(head).number,
      termMark: decodeRecord(record).termMark,
      blockMark,
      nextRun: decodeRoot(root).nextRun,
      nextHashRun: reader?.varint() ?? 0,
      rewritten: markText(rewritten),
    };
  } catch (error) {
    // The repository was dropped meanwhile, or is damaged: then reading it reports the damage.
    if (error instanceof QuadrilleError) return undefined;
    throw error;
  }
}

/** The marks of repositories as they are now. */
export async function readMarks(engine: StorageEngine, ids: readonly number[]): Promise<Map<number, string>> {
  const values = await engine.getMany(ids.map((id) => dataKey(id, Tag.rewritten)));
  return new Map(ids.map((id, i) => [id, markText(values[i])]));
}

const markText = (value: Bytes | undefined): string => (value === undefined ? '' : toHex(value));

/** Position of the first number after the tag of a key. */
const REST_AT = 6;

/**
 * Whether the value of a key stays the same for ever: as it was in a backup with these facts, so it is in every later
 * state of the same store that has the key.
 */
export function isFinal(key: Bytes, facts: RepositoryFacts): boolean {
  if (key[0] !== Area.data || key.length < REST_AT + 4) return false;
  const number = readU32(key, REST_AT);
  switch (key[REST_AT - 1]) {
    case Tag.log:
    case Tag.statistics:
      return number <= facts.head;
    case Tag.termBlock:
      return (number + 1) * TERM_BLOCK_IDS <= Math.min(facts.termMark, facts.blockMark);
    case Tag.longTerm:
      return number < facts.termMark;
    case Tag.hashPage:
      return number < facts.nextHashRun;
    case Tag.runMeta:
    case Tag.block:
      return number < facts.nextRun;
    default:
      return false;
  }
}
