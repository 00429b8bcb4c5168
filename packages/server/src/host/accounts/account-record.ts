/** The record of an account as clients see it. It contains no tokens. */
import { type Caller, isKnown } from './caller.js';
import { unauthenticated } from '../repositories/rights.js';
import type { Service } from '../service.js';
import { isoTime } from '../text.js';

/** An account as servers show it. */
export interface AccountRecord {
  /** Its name. */
  readonly name: string;
  /** The name of the person or the organisation. */
  readonly fullname: string | null;
  /** Only for the account itself and administrators. */
  readonly email?: string | null;
  /** Whether it may operate the server; only for the account itself and administrators. */
  readonly admin?: boolean;
  /** When it was created, ISO 8601. */
  readonly created: string;
  /** Number of repositories that the caller may read. */
  readonly repository_count: number;
}

/** @throws AccessError `UNAUTHENTICATED`; NotFoundError `ACCOUNT_NOT_FOUND` */
export async function accountRecord(
  { accounts, repositories }: Pick<Service, 'accounts' | 'repositories'>,
  caller: Caller,
  account: string,
): Promise<AccountRecord> {
  if (!isKnown(caller)) throw unauthenticated();
  const { name, fullName, email, admin, created } = await accounts.need(account);
  const isOwn = caller.admin || caller.account === name;
  return {
    name,
    fullname: fullName ?? null,
    ...(isOwn ? { email: email ?? null, admin } : {}),
    created: isoTime(created),
    repository_count: (await repositories.list(caller, name)).length,
  };
}
