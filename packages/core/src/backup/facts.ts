/**
 * What a backup knows of each repository, so that a later backup need not read again what cannot have changed. The
 * facts are read before the state that the backup copies, so each of them also holds in that state.
 */
import { QuadrilleError } from '@quadrille/model';
import type { Bytes, StorageEngine } from '@quadrille/storage';
import type { RepositoryRecord } from '../catalogue/repository-records.js';
import { ByteReader, fromJson, toHex } from '../format/byte-codec.js';
import { afterPrefix, Area, areaKey, dataKey, lineKey, readU32, Tag, TERM_BLOCK_IDS } from '../format/layout.js';
import { decodeManifestHead } from '../timeline/manifest.js';
import { decodeHead, decodeRecord } from '../revision/record.js';

/** What a backup knows of a line other than `main`. Before the number of a line is given again, the mark changes. */
export interface LineFacts {
  /** Number of its newest revision. */
  readonly head: number;
  /** Lower numbers of its runs are not used again. */
  readonly nextRun: number;
}

export interface RepositoryFacts {
  /** Number of the newest revision. */
  readonly head: number;
  /** Revisions of all lines use only dictionary ids below this one, which are never assigned again. */
  readonly termMark: number;
  /** Ids below are in full blocks. */
  readonly blockMark: number;
  /** Lower numbers of runs are not used again. */
  readonly nextRun: number;
  readonly nextHashRun: number;
  /** The mark of `keyspace/rewritten.ts`; empty if there is none. */
  readonly rewritten: string;
  /** By the numbers of lines. Missing if there are none. */
  readonly lines?: Readonly<Record<string, LineFacts>> | undefined;
}

/** Position of the first number after the tag of a key, and after that of a line's key. */
const REST_AT = 6;
const LINE_REST_AT = 11;

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
      if (decoded !== undefined) facts.set(id, await withLines(engine, id, decoded));
    }
  }
  return facts;
}

async function withLines(engine: StorageEngine, id: number, facts: RepositoryFacts): Promise<RepositoryFacts> {
  const numbers: number[] = [];
  const gte = dataKey(id, Tag.line);
  for await (const chunk of engine.range({ gte, lt: afterPrefix(gte) }, { read: 'keys' }))
    for (const { key } of chunk) numbers.push(readU32(key, REST_AT));
  if (numbers.length === 0) return facts;
  const lines: Record<string, LineFacts> = {};
  let { termMark } = facts;
  for (let at = 0; at < numbers.length; at += AT_ONCE) {
    const some = numbers.slice(at, at + AT_ONCE);
    const values = await engine.getMany(
      some.flatMap((line) => [lineKey(id, line, Tag.head), lineKey(id, line, Tag.root)]),
    );
    const heads = some.map((_, i) => numberIn(values[2 * i]));
    // Without revisions of its own it has no record there.
    const records = await engine.getMany(some.map((line, i) => lineKey(id, line, Tag.log, heads[i]!)));
    for (const [i, line] of some.entries()) {
      const decoded = tryDecodeLine(heads[i]!, values[2 * i + 1], records[i]);
      if (decoded === undefined) continue;
      lines[line] = { head: heads[i]!, nextRun: decoded.nextRun };
      termMark = Math.max(termMark, decoded.termMark);
    }
  }
  return { ...facts, termMark, lines };
}

function tryDecodeLine(
  head: number,
  root: Bytes | undefined,
  record: Bytes | undefined,
): { readonly nextRun: number; readonly termMark: number } | undefined {
  if (head === 0 || root === undefined) return undefined;
  try {
    return {
      nextRun: decodeManifestHead(root).nextRun,
      termMark: record === undefined ? 0 : decodeRecord(record).termMark,
    };
  } catch (error) {
    if (error instanceof QuadrilleError) return undefined;
    throw error;
  }
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
      nextRun: decodeManifestHead(root).nextRun,
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

/**
 * Whether the value of a key stays the same for ever: as it was in a backup with these facts, so it is in every later
 * state of the same store that has the key.
 */
export function isFinal(key: Bytes, facts: RepositoryFacts): boolean {
  if (key[0] !== Area.data || key.length < REST_AT + 4) return false;
  const number = readU32(key, REST_AT);
  switch (key[REST_AT - 1]) {
    case Tag.termBlock:
      return (number + 1) * TERM_BLOCK_IDS <= Math.min(facts.termMark, facts.blockMark);
    case Tag.longTerm:
      return number < facts.termMark;
    case Tag.hashPage:
    case Tag.textPart:
    case Tag.orderPart:
    case Tag.vectorPart:
      return number < facts.nextHashRun;
    case Tag.lineData: {
      const line = facts.lines?.[number];
      if (line === undefined || key.length < LINE_REST_AT + 4) return false;
      return isFinalOfLine(key[LINE_REST_AT - 1]!, readU32(key, LINE_REST_AT), line);
    }
    default:
      return isFinalOfLine(key[REST_AT - 1]!, number, facts);
  }
}

function isFinalOfLine(tag: number, number: number, { head, nextRun }: LineFacts): boolean {
  switch (tag) {
    case Tag.log:
    case Tag.statistics:
      return number <= head;
    case Tag.runMeta:
    case Tag.block:
      return number < nextRun;
    default:
      return false;
  }
}
