/** Converts answers of object stores to errors of Quadrille. */

import { type QuadrilleError, StateError, StorageError } from '@quadrille/model';
import type { ObjectAnswer } from './object-request.js';

const FULL = /^(?:QuotaExceeded|XMinioStorageFull|InsufficientStorage|EntityQuotaExceeded|StorageFull)$/;
const text = new TextDecoder();

/** The code in the body of an error, for example `SlowDown`; empty if there is none. */
export const codeOf = ({ body }: ObjectAnswer): string => element(body, 'Code');

function element(body: Uint8Array, name: string): string {
  return new RegExp(`<${name}>([^<]{1,300})`).exec(text.decode(body.subarray(0, 8192)))?.[1] ?? '';
}

/** Whether the same request may succeed a little later. */
export const isBusy = (answer: ObjectAnswer): boolean =>
  answer.status === 429 ||
  (answer.status >= 500 && answer.status !== 501 && answer.status !== 507 && !FULL.test(codeOf(answer))) ||
  answer.status === 409 ||
  codeOf(answer) === 'RequestTimeout';

/** @param action completes "Cannot …" */
export function refusal(action: string, answer: ObjectAnswer, writes: boolean): QuadrilleError {
  const code = codeOf(answer);
  const said = code === '' ? `status ${answer.status}` : `${code}, ${element(answer.body, 'Message')}`;
  const problem = `Cannot ${action}: the object store answers ${said.replace(/[.\s]*$/, '')}.`;
  if (answer.status === 507 || FULL.test(code)) {
    return new StorageError('STORAGE_FULL', `${problem} Free some space, or raise the quota of the bucket.`);
  }
  if (answer.status === 301 || answer.status === 307 || code === 'AuthorizationHeaderMalformed') {
    const region = answer.header('x-amz-bucket-region') ?? element(answer.body, 'Region');
    const hint = region === '' ? '' : ` The bucket is in ${region}.`;
    return new StorageError('STORE_ACCESS', `${problem}${hint} Set region in the URL.`);
  }
  if (code === 'NoSuchBucket') return new StorageError('STORE_ACCESS', `${problem} Create the bucket first.`);
  if (code === 'AccessDenied' && writes) {
    return new StateError('READ_ONLY', `${problem} The keys may not write to the bucket.`);
  }
  if (answer.status === 403 || answer.status === 401 || code === 'ExpiredToken' || code === 'InvalidToken') {
    return new StorageError('STORE_ACCESS', `${problem} Check the keys, the bucket, and its policy.`);
  }
  if (isBusy(answer)) return new StorageError('STORE_UNAVAILABLE', `${problem} Try again later.`);
  return new StorageError('STORAGE_IO', problem);
}

/** The object store does not answer. */
export function unavailable(action: string, { message, cause }: Error): StorageError {
  return new StorageError(
    'STORE_UNAVAILABLE',
    `Cannot ${action}: ${message}. Try again when the object store is back.`,
    { cause },
  );
}
