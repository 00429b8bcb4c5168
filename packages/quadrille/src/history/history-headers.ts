/** The headers of a transaction in a history file: all that a revision is besides its quads. */
import type { RevisionRecord } from '@quadrille/core';
import { escapeLexicalForm } from '@quadrille/model';
import { hexOf } from './hex.js';

/** Version of the format, in the header `history`: of the history of one branch. */
export const HISTORY_FORMAT = '1';
/** The same with sections for the other branches. */
export const BRANCHES_FORMAT = '2';

const XSD = 'http://www.w3.org/2001/XMLSchema#';

/** A row `H`; `value` is a term of N-Triples. */
export const headerRow = (name: string, value: string): string => `H ${name} ${value} .\n`;
export const quoted = (text: string): string => `"${escapeLexicalForm(text)}"`;
export const integerText = (value: number): string => `"${String(value)}"^^<${XSD}integer>`;

/** `<urn:uuid:…>` */
export function uuidIri(id: Uint8Array): string {
  const hex = hexOf(id);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return `<urn:uuid:${parts.join('-')}>`;
}

const UUID_START = '<urn:uuid:'.length;

/** The text of a UUID. */
export const uuidOf = (id: Uint8Array): string => uuidIri(id).slice(UUID_START, -1);

/** The headers of a revision. Those that it has no value for are left out. */
export function headersOf(record: RevisionRecord): string {
  const { id, parentId, mergedParent, origin, number, time, author, message, kind } = record;
  return (
    headerRow('id', uuidIri(id)) +
    (parentId === undefined ? '' : headerRow('prev', uuidIri(parentId))) +
    (mergedParent === undefined ? '' : headerRow('merged', uuidIri(mergedParent))) +
    (origin === undefined ? '' : headerRow('origin', uuidIri(origin))) +
    headerRow('number', integerText(number)) +
    headerRow('time', `"${new Date(time).toISOString()}"^^<${XSD}dateTime>`) +
    (author === undefined ? '' : headerRow('author', quoted(author))) +
    (message === undefined ? '' : headerRow('message', quoted(message))) +
    (kind === 'commit' ? '' : headerRow('kind', quoted(kind))) +
    attestationRows(record)
  );
}

function attestationRows({ nonce, integrity, signature }: RevisionRecord): string {
  let rows = nonce === undefined || nonce.every((byte) => byte === 0) ? '' : headerRow('nonce', `"${hexOf(nonce)}"`);
  if (integrity !== undefined) {
    const { addedCount, removedCount, size, content, chain } = integrity;
    const counts = [addedCount, removedCount, size].join(' ');
    rows += headerRow('integrity', `"${counts} ${hexOf(content)} ${hexOf(chain)}"`);
  }
  if (signature !== undefined) rows += headerRow('signature', quoted(`${hexOf(signature.bytes)} ${signature.keyId}`));
  return rows;
}
