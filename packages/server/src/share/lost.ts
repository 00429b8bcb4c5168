/** Requests whose answer did not come. */
import { ClientError } from '@quadrille/client';

/** How much of a request has left this process: the holder may have done what was sent as a whole. */
export type SentShare = 'nothing' | 'part' | 'all';

/** The holder has ended, or has left, before it answered. */
export class Lost extends Error {
  override readonly name = 'Lost';

  constructor(
    readonly sent: SentShare,
    cause?: unknown,
  ) {
    super('the process that holds the store gave no answer', { cause });
  }
}

/** Certainly not written. */
export const unavailable = (why: string, cause?: unknown): ClientError =>
  new ClientError(`${why}: nothing was written; try again`, { code: 'STORE_UNAVAILABLE', status: 503, cause });

/** Perhaps written. */
export const unknown = (why: string, cause?: unknown): ClientError =>
  new ClientError(`${why}: look whether the change is there before you repeat it`, {
    code: 'COMMIT_UNKNOWN',
    status: 503,
    cause,
  });

export const readOnly = (): ClientError =>
  new ClientError('the store was opened with readOnly, so nothing can be written', { code: 'READ_ONLY', status: 403 });
