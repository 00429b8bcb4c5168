/** The object that makes a prefix a store: `quadrille.json`. Also finds out whether the service keeps to conditions. */

import { CorruptionError, NotFoundError, StateError } from '@quadrille/model';
import { unsafe, type Bucket } from './bucket.js';

/** The version of the layout of objects. */
export const FORMAT = 1;
const MARK = 'quadrille.json';
const PROBES = 'probe/';
/** Rounds of racing writes, and the writes of each. */
const ROUNDS = 3;
const RACERS = 16;

export interface MarkOptions {
  readonly create: boolean;
  /** Whether it only reads. Then it writes nothing, not even to find out whether the service is safe. */
  readonly readOnly: boolean;
}

/**
 * Reads the mark, or makes it.
 * @throws StateError `NOT_A_STORE`; NotFoundError `STORE_NOT_FOUND`; CorruptionError `FORMAT_VERSION`; StorageError `STORE_UNSAFE`
 */
export async function openMark(bucket: Bucket, { create, readOnly }: MarkOptions): Promise<void> {
  const found = await bucket.get(MARK);
  if (found.is === 'there') {
    checkMark(found.bytes);
    if (!readOnly) await checkConditions(bucket, found.bytes, found.etag);
    return;
  }
  if (await hasOthers(bucket)) {
    // Another server may have made the store since.
    const again = await bucket.get(MARK);
    if (again.is !== 'there') throw notAStore('has other objects');
    return checkMark(again.bytes);
  }
  if (!create || readOnly) {
    throw new NotFoundError('STORE_NOT_FOUND', 'There is no store of Quadrille in the bucket under this prefix.');
  }
  for (let round = 0; round < ROUNDS; round++) await race(bucket);
  const mark = { product: 'quadrille', store: crypto.randomUUID(), format: FORMAT };
  const body = new TextEncoder().encode(`${JSON.stringify(mark)}\n`);
  for (let attempt = 0; ; attempt++) {
    const made = await bucket.putIf(MARK, body, { absent: true });
    if (made.is === 'ok') return;
    const now = await bucket.get(MARK);
    if (now.is === 'there') return checkMark(now.bytes);
    if (attempt === RACERS) throw unsafe('refuses to write an object that is not there');
    await bucket.pause(attempt);
  }
}

function checkMark(bytes: Uint8Array): void {
  let mark: { readonly product?: unknown; readonly format?: unknown };
  try {
    mark = JSON.parse(new TextDecoder().decode(bytes)) as typeof mark;
  } catch {
    throw notAStore(`has a ${MARK} that is not of Quadrille`);
  }
  if (mark?.product !== 'quadrille' || typeof mark.format !== 'number') {
    throw notAStore(`has a ${MARK} that is not of Quadrille`);
  }
  if (mark.format > FORMAT) {
    throw new CorruptionError(
      'FORMAT_VERSION',
      `The store has format ${mark.format}, and this version of Quadrille reads up to ${FORMAT}. Install a newer version.`,
    );
  }
}

async function hasOthers(bucket: Bucket): Promise<boolean> {
  const { objects, folders } = await bucket.listSome('', { delimiter: '/', 'max-keys': '10' });
  return objects.length > 0 || folders.some((folder) => folder !== PROBES);
}

/** Two writes that must be refused. A service that ignores the conditions writes the same mark again. */
async function checkConditions(bucket: Bucket, mark: Uint8Array, etag: string): Promise<void> {
  const other = etag.replace(/[\da-f]/i, (digit) => (digit === '0' ? '1' : '0'));
  const outcomes = await Promise.all([
    bucket.putIf(MARK, mark, { absent: true }),
    bucket.putIf(MARK, mark, { etag: other }),
  ]);
  if (outcomes.some(({ is }) => is === 'ok')) throw unsafe('ignores the conditions of writes');
}

/** Of writes that race for one object, one must succeed: first to make it, then to replace it. */
async function race(bucket: Bucket): Promise<void> {
  const key = PROBES + crypto.randomUUID();
  try {
    const made = await Promise.all(
      Array.from({ length: RACERS }, (_, i) => bucket.putIf(key, probe(i), { absent: true })),
    );
    const object = await bucket.get(key);
    if (count(made) > 1) throw unsafe('let several writers make the same object');
    if (object.is !== 'there') throw unsafe('has lost an object');
    const { etag } = object;
    const replaced = await Promise.all(Array.from({ length: RACERS }, (_, i) => bucket.putIf(key, probe(i), { etag })));
    if (count(replaced) > 1) throw unsafe('let several writers replace the same object');
  } finally {
    await bucket.delete([key]).catch(() => undefined);
  }
}

const probe = (i: number): Uint8Array => new TextEncoder().encode(`${i} ${crypto.randomUUID()}`);
const count = (outcomes: readonly { readonly is: string }[]): number => outcomes.filter(({ is }) => is === 'ok').length;

function notAStore(what: string): StateError {
  return new StateError('NOT_A_STORE', `The bucket ${what} under this prefix. Use another prefix.`);
}
