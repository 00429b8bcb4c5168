/**
 * The chain of revisions. Its value at a revision is a SHA-256 of the value of the parent, of what the revision says of itself, and of its
 * content. It covers texts and no ids of the store, so it is the same for the same history in every store and on every backend.
 *
 * An erasure keeps the content digest and the counts of each revision that it changes, and drops its nonce: the chain stays as it is, and
 * nobody can guess by its values what was erased.
 *
 * A merge names the revision that it has merged by its id. Its value stays out: a copy of one branch can be checked without the others.
 */
import type { RevisionRecord } from '@quadrille/core';
import type { Hashes } from './hashes.js';

const NO_NONCE = new Uint8Array(16);
const utf8 = new TextEncoder();

/** What the chain takes as the content of a revision: 32 bytes. `contentHash` is that of its state. */
export const contentDigest = (hashes: Hashes, record: RevisionRecord, contentHash: Uint8Array): Uint8Array =>
  record.integrity?.content ?? hashes.sha256(record.nonce ?? NO_NONCE, contentHash);

/**
 * The value of the chain at a revision, 32 bytes.
 * @param parent the value at the revision before; `undefined` for revision 1
 */
export function chainValue(
  hashes: Hashes,
  record: RevisionRecord,
  parent: Uint8Array | undefined,
  content: Uint8Array,
): Uint8Array {
  const parents = parent === undefined ? [] : [parent];
  const { addedCount, removedCount, size } = record.integrity ?? record;
  const { time, kind, author, message } = record;
  // Texts by JSON, in which no text can pass for another field.
  const said = [time, kind, author ?? null, message ?? null, addedCount, removedCount, size];
  const ids = [record.id, record.mergedParent ?? NO_NONCE, record.origin ?? NO_NONCE];
  return hashes.sha256(
    Uint8Array.of(VERSION, parents.length),
    ...parents,
    ...ids,
    content,
    utf8.encode(JSON.stringify(said)),
  );
}

/** Of the form of what is hashed. */
const VERSION = 1;
