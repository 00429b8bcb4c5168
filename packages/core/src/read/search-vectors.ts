/** Finds the vectors of a snapshot that are nearest to one. */
import { ConflictError, InvalidArgumentError } from '@quadrille/model';
import { joinBytes } from '../format/byte-codec.js';
import { FIRST_INLINE_ID, FIRST_LOCAL_ID, FIRST_TERM_ID, PART_BYTES, Tag, TERM_BLOCK_IDS } from '../format/layout.js';
import type { LocalTerms } from '../dictionary/local-terms.js';
import type { Dictionary } from '../dictionary/dictionary.js';
import { LONG_ENTRY } from '../dictionary/term-block.js';
import { type EndSignal, Pacer } from '../runtime/env.js';
import { NearestFirst, type ReadVectors } from '../vectors/nearest-first.js';
import { queryOf } from '../vectors/vector-column.js';
import type { Scanned } from '../vectors/vector-index.js';
import { VectorIndexes } from '../vectors/vector-indexes.js';
import { readVector, VECTOR_DATATYPE, vectorOf } from '../vectors/vector-text.js';
import { catchUp } from './catch-up.js';
import type { SearchedState } from './search-literals.js';

/** Up to this many candidates their vectors are read, and no other ones are scored. */
const FEW = 256;

/** A question for vectors. */
export interface VectorQuestion {
  /** The name of the vectors in the settings. */
  readonly name: string;
  /** The vector in its lexical form. */
  readonly vector: string;
  /** IRI of the datatype of the vector. */
  readonly datatype: string;
  /** Gives the ids of the only candidates by the IRI of the property, ascending. Default: all. */
  readonly among?: ((property: string) => Promise<Uint32Array | undefined>) | undefined;
}

/** Literals of vectors, the best ones first. */
export interface FoundVectors {
  /** The nearest ones come first. */
  readonly vectors: NearestFirst;
  /** IRI of the property whose values count. */
  readonly property: string;
}

const utf8 = new TextEncoder();

/** @throws InvalidArgumentError `INVALID_VECTOR`, ConflictError `NO_INDEX` */
export async function nearestVectors(
  { timeline, termMark, local }: SearchedState,
  { name, vector, datatype, among: candidatesOf }: VectorQuestion,
  ends?: EndSignal,
): Promise<FoundVectors> {
  const vectors = (await timeline.readSettings()).search?.vectors ?? {};
  const setting = Object.hasOwn(vectors, name) ? vectors[name] : undefined;
  if (setting === undefined) throw noIndex(timeline.keyspace.name, name);
  const { property, dimension } = setting;
  const query = queryOf(asked(vector, datatype, dimension));
  const pacer = new Pacer(timeline.env, undefined, ends);
  const { dictionary } = timeline;
  let found: Scanned;
  const among = await candidatesOf?.(property);
  const texts = setting.embed === true ? (await VectorIndexes.open(dictionary, vectors)).embedded(name) : undefined;
  if (among !== undefined && among.length <= FEW) found = unscored(among);
  else if (texts !== undefined) {
    found = await texts.scan(query, termMark, pacer);
    if (among !== undefined) found = onlyAmong(found, among);
  } else {
    const index = (await VectorIndexes.open(dictionary, vectors)).of(dimension);
    await catchUp(index, timeline, termMark, pacer);
    found = await index.scan(query, termMark, pacer);
    if (local !== undefined) found = withOwn(found, localIds(local, dimension));
    if (among !== undefined) found = onlyAmong(found, among);
  }
  const read: ReadVectors = async (ids) => {
    pacer.check();
    return texts === undefined ? readVectors(dictionary, local, ids, dimension) : texts.read(ids);
  };
  return { vectors: new NearestFirst(query, found.ids, found.bounds, read), property };
}

const noIndex = (repository: string, name: string): ConflictError =>
  new ConflictError(
    'NO_INDEX',
    `repository ${repository} has no vectors of the name "${name.slice(0, 100)}": make them by settings.set({ search: { vectors: { name: { property, dimension } } } }) or quadrille settings … search={"vectors":…}`,
    { details: { repository, name } },
  );

function asked(vector: string, datatype: string, dimension: number): Float32Array {
  const problem = (what: string): InvalidArgumentError =>
    new InvalidArgumentError('INVALID_VECTOR', `the vector behind vec:nearest ${what}`);
  if (datatype !== VECTOR_DATATYPE) throw problem(`has the datatype <${datatype}>, and not <${VECTOR_DATATYPE}>`);
  const read = readVector(utf8.encode(vector), dimension);
  if (typeof read === 'string') throw problem(read);
  return read;
}

/** Ids whose scores may be anything. */
const unscored = (ids: Uint32Array): Scanned => ({
  ids,
  bounds: new Float32Array(ids.length).fill(Number.POSITIVE_INFINITY),
});

function withOwn({ ids, bounds }: Scanned, own: readonly number[]): Scanned {
  if (own.length === 0) return { ids, bounds };
  const all = { ids: new Uint32Array(ids.length + own.length), bounds: new Float32Array(ids.length + own.length) };
  all.ids.set(ids);
  all.ids.set(own, ids.length);
  all.bounds.set(bounds);
  all.bounds.fill(Number.POSITIVE_INFINITY, ids.length);
  return all;
}

// Both ascend.
function onlyAmong({ ids, bounds }: Scanned, among: Uint32Array): Scanned {
  const some = { ids: new Uint32Array(among.length), bounds: new Float32Array(among.length) };
  let count = 0;
  let at = 0;
  for (const id of among) {
    while (at < ids.length && ids[at]! < id) at++;
    if (ids[at] !== id) continue;
    some.ids[count] = id;
    some.bounds[count++] = bounds[at]!;
  }
  return { ids: some.ids.subarray(0, count), bounds: some.bounds.subarray(0, count) };
}

/** The vectors that only a transaction or a query knows. */
function localIds(local: LocalTerms, dimension: number): number[] {
  const found: number[] = [];
  for (let id = FIRST_LOCAL_ID; id < FIRST_LOCAL_ID + local.size; id++)
    if (localVector(local, id, dimension) !== undefined) found.push(id);
  return found;
}

function localVector(local: LocalTerms, id: number, dimension: number): Float32Array | undefined {
  const text = local.text(id);
  return text.startsWith('"') ? vectorOf(utf8.encode(text), dimension) : undefined;
}

async function readVectors(
  dictionary: Dictionary,
  local: LocalTerms | undefined,
  ids: readonly number[],
  dimension: number,
): Promise<(Float32Array | undefined)[]> {
  const terms = await Promise.all(
    ids.map((id) => (id >= FIRST_TERM_ID && id < FIRST_INLINE_ID ? termOf(dictionary, id) : undefined)),
  );
  return ids.map((id, i) => {
    if (id >= FIRST_LOCAL_ID) return local && localVector(local, id, dimension);
    const term = terms[i];
    return term && vectorOf(term, dimension);
  });
}

async function termOf(dictionary: Dictionary, id: number): Promise<Uint8Array | undefined> {
  const entry = isInTail(dictionary, id) ? dictionary.tryEntryIfAny(id) : await entryIn(dictionary, id);
  return entry?.[0] === LONG_ENTRY ? dictionary.longText(id, entry) : (entry ?? undefined);
}

const isInTail = (dictionary: Dictionary, id: number): boolean =>
  id >= dictionary.root.blockMark || dictionary.tailPlace(id) !== undefined;

/**
 * The entry of a term block. A block of vectors has a quarter of a megabyte, in parts, of which two have what one of them needs. Blocks are
 * written anew where terms are deleted, so nothing is remembered of them.
 */
async function entryIn({ keyspace }: Dictionary, id: number): Promise<Uint8Array | undefined> {
  const block = Math.floor(id / TERM_BLOCK_IDS);
  const part = (number: number): Uint8Array | undefined | Promise<Uint8Array | undefined> => {
    const key = keyspace.key(Tag.termBlock, block, number);
    return keyspace.engine.canGetSync ? keyspace.tryGetKey(key) : keyspace.getKey(key);
  };
  let value = part(0);
  if (value instanceof Promise) value = await value;
  if (value === undefined) throw keyspace.missing(`term block ${block}`);
  const view = new DataView(value.buffer, value.byteOffset);
  const [count, place] = [view.getUint16(0, true), id % TERM_BLOCK_IDS];
  let start = 2 + count * 2;
  for (let at = 0; at < place; at++) start += view.getUint16(2 + at * 2, true);
  const end = place < count ? start + view.getUint16(2 + place * 2, true) : start;
  if (end === start) return undefined;
  const parts: Uint8Array[] = [];
  const first = Math.floor(start / PART_BYTES);
  for (let number = first; number * PART_BYTES < end; number++) {
    const other = number === 0 ? value : await part(number);
    if (other === undefined) throw keyspace.missing(`term block ${block}`);
    parts.push(other);
  }
  const bytes = parts.length === 1 ? parts[0]! : joinBytes(parts);
  return bytes.subarray(start - first * PART_BYTES, end - first * PART_BYTES);
}
