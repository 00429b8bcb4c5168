/** What new repositories have in common: the rights of who makes them, their names and their number. */
import { AccessError, ConflictError, InvalidRecordError, LimitError, NotFoundError } from '@quadrille/model';
import type { KeyedMutex } from '@quadrille/model';
import type { Database, ForkOptions, Repository } from 'quadrille';
import type { Accounts } from '../accounts/accounts.js';
import { type Caller, isKnown } from '../accounts/caller.js';
import { lacks, mayDo } from '../accounts/token-rights.js';
import type { Jobs } from '../jobs/jobs.js';
import type { ServiceLimits } from '../options.js';
import { ownerOf, unauthenticated } from './rights.js';
import { isSlug } from './slug.js';

interface CreationParts {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly jobs: Jobs;
  readonly locks: KeyedMutex;
  readonly limits: ServiceLimits;
  readonly open: boolean;
}

/** @throws AccessError; NotFoundError `ACCOUNT_NOT_FOUND` */
export async function checkMayCreate(
  { accounts }: Pick<CreationParts, 'accounts'>,
  caller: Caller,
  account: string,
): Promise<void> {
  if (!isKnown(caller)) throw unauthenticated();
  if ((await accounts.get(account)) === undefined) {
    throw new NotFoundError('ACCOUNT_NOT_FOUND', `there is no account ${account.slice(0, 100)}`);
  }
  if (!mayDo(caller, 'own')) throw new AccessError('FORBIDDEN', lacks(caller, 'own'));
  if (caller.admin || caller.account === account) return;
  throw new AccessError('FORBIDDEN', `only ${account} may do this`);
}

/**
 * `account/repository` of a new repository. Its account is locked, so that the name stays free.
 * @throws InvalidRecordError where the name is reserved or taken; LimitError `QUOTA_EXCEEDED`
 */
export async function freeName(
  { database, limits }: Pick<CreationParts, 'database' | 'limits'>,
  account: string,
  slug: string,
): Promise<string> {
  if (!isSlug(slug)) throw new InvalidRecordError({ name: [`is reserved: ${slug}`] });
  const id = `${account}/${slug}`;
  const others = await database.repositories(account).toArray();
  if (others.some((other) => other.name === id)) throw taken(id);
  await database.repository(id).catch((error: unknown) => {
    if (error instanceof NotFoundError && error.code === 'REPOSITORY_MOVED') throw left(id);
  });
  const most = limits.repositoriesPerAccount;
  if (others.length < most) return id;
  throw new LimitError('QUOTA_EXCEEDED', `account ${account} has ${String(most)} repositories, which is the limit`);
}

/** @param target `account/repository`, or the name of a repository in the account of the source */
export async function forkRepository(
  parts: CreationParts,
  caller: Caller,
  source: string,
  target: string,
  options: ForkOptions,
): Promise<Repository> {
  const [first = '', second, more] = target.split('/');
  if (more !== undefined) throw new InvalidRecordError({ target: ['must be account/repository'] });
  const account = second === undefined ? ownerOf(source) : first;
  if (parts.open) await parts.accounts.ensure(account);
  return parts.locks.run(account, async () => {
    await checkMayCreate(parts, caller, account);
    const name = await freeName(parts, account, second ?? first);
    const copy = await parts.database.fork(source, name, options);
    await parts.jobs.record('create', caller, name, `forked from ${source}`, (await copy.revision()).id);
    return copy;
  });
}

const left = (id: string): InvalidRecordError =>
  new InvalidRecordError({ name: [`has moved to another store: ${id}`] });

// A taken name is an error in the field `name`. The cause says that the repository exists.
function taken(id: string): InvalidRecordError {
  const cause = new ConflictError('ALREADY_EXISTS', `there is a repository ${id} already`);
  return new InvalidRecordError({ name: [`already exists: ${id}`] }, { cause });
}
