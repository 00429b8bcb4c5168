/**
 * Checks the caller's description of a commit before anything is staged. A commit that cannot be written would fail
 * all commits that share its batch.
 */
import { InvalidArgumentError } from '@quadrille/model';

/** Longest message of a commit, in bytes of UTF-8. */
export const MAX_MESSAGE_BYTES = 16 * 1024;
/** Longest author of a commit, in bytes of UTF-8. */
export const MAX_AUTHOR_BYTES = 1024;

const LONE_SURROGATE = /\p{Surrogate}/u;
const utf8 = new TextEncoder();

/** Tells why a value is not a text of at most `maxBytes` bytes of UTF-8; `undefined` if it is one. */
export function textProblem(value: unknown, maxBytes: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  // A text has at least as many bytes as UTF-16 units. So a very long one is refused without encoding it.
  if (value.length > maxBytes || utf8.encode(value).length > maxBytes)
    return `has more than ${String(maxBytes)} bytes of UTF-8`;
  return LONE_SURROGATE.test(value) ? 'has a lone surrogate' : undefined;
}

/** @throws InvalidArgumentError `INVALID_OPTION`; its message names the member */
export function checkCommitInfo({ message, author, id }: { message?: unknown; author?: unknown; id?: unknown }): void {
  check('message', message, MAX_MESSAGE_BYTES);
  check('author', author, MAX_AUTHOR_BYTES);
  if (id !== undefined && typeof id !== 'string') throw invalid('id', 'must be a string');
}

function check(member: string, value: unknown, maxBytes: number): void {
  const problem = value === undefined ? undefined : textProblem(value, maxBytes);
  if (problem !== undefined) throw invalid(member, problem);
}

function invalid(member: string, problem: string): InvalidArgumentError {
  return new InvalidArgumentError('INVALID_OPTION', `the ${member} of a commit ${problem}`, {
    details: { option: member },
  });
}
