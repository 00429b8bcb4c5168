/** The rights of a token, which never exceed those of its account, and the time at which they end. */
import { InvalidRecordError } from '@quadrille/model';
import type { Caller, Right } from './caller.js';

const ASCENDING: readonly Right[] = ['read', 'write', 'own'];
/** Each of them is given by itself. */
const APART: readonly Right[] = ['replicate', 'operate'];
const RIGHTS: readonly Right[] = [...ASCENDING, ...APART];

/** All rights that a token of an account can have. */
export const rightsOfAccount = (admin: boolean): readonly Right[] =>
  RIGHTS.filter((right) => admin || right !== 'operate');

/** The rights of a list with all that they include, in the order of {@link Right}. */
export function withIncluded(rights: readonly Right[]): readonly Right[] {
  const highest = Math.max(...rights.map((right) => ASCENDING.indexOf(right)));
  return [...ASCENDING.slice(0, highest + 1), ...APART.filter((right) => rights.includes(right))];
}

/** Whether a caller has a right. What it may do to a repository also depends on the rights of its account there. */
export function mayDo({ rights, readOnly, admin }: Caller, right: Right): boolean {
  if (right === 'operate' && !admin) return false;
  return rights === undefined ? right === 'read' || !readOnly : rights.includes(right);
}

/** The message for a caller that lacks a right. */
export const lacks = (caller: Caller, right: Right): string =>
  mayDo(caller, 'read') && !mayDo(caller, 'write')
    ? 'this token may only read'
    : `this token does not have the right ${right}`;

/** A list of rights that somebody sent. @throws InvalidRecordError */
export function checkedRights(sent: readonly unknown[]): readonly Right[] {
  const known = sent.every((right) => (RIGHTS as readonly unknown[]).includes(right));
  if (sent.length > 0 && known) return withIncluded(sent as readonly Right[]);
  throw new InvalidRecordError({ rights: [`must be a list of ${RIGHTS.join(', ')}, or all`] });
}

/** A date, which is its midnight in UTC, or a time with its zone. */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** The time of an expiry that somebody sent. @throws InvalidRecordError */
export function checkedExpiry(sent: string): Date {
  const time = new Date(TIME.test(sent) ? sent : Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw new InvalidRecordError({ expires: ['must be a date such as 2027-01-31, or a time of ISO 8601 with its zone'] });
}
