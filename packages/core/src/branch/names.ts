/** Names of branches, and the errors about them. */
import { ConflictError, InvalidArgumentError, NotFoundError } from '@quadrille/model';
import type { StoredSettings } from '../keyspace/stored-settings.js';
import { Tag } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { isTagName } from '../timeline/refs.js';
import { decodeBranch, MAIN, MAIN_LINE } from '../timeline/line-record.js';

/** @throws InvalidArgumentError `INVALID_NAME` */
export function checkBranchName(name: string): void {
  if (typeof name === 'string' && isTagName(name) && !name.startsWith('remote/')) return;
  throw new InvalidArgumentError(
    'INVALID_NAME',
    `not a name for a branch: ${String(name).slice(0, 100)} (1 to 100 letters, digits, _ . - and /; ` +
      'no form of a ref, such as a number or HEAD; not remote/…, which is reserved)',
  );
}

/** A name `remote/…`, which only pulls give. @throws InvalidArgumentError `INVALID_NAME` */
export function checkReservedName(name: string): void {
  if (isTagName(name)) return;
  throw new InvalidArgumentError('INVALID_NAME', `not a name for a branch: ${name.slice(0, 100)}`);
}

/** The name of the branch of a line; `undefined` if it has none. */
export async function branchOf(keyspace: Keyspace, line: number): Promise<string | undefined> {
  if (line === MAIN_LINE) return MAIN;
  for await (const { rest, value } of keyspace.entries(Tag.branch))
    if (decodeBranch(value).line === line) return new TextDecoder().decode(rest);
  return undefined;
}

export const branchNotFound = (repository: string, name: string): NotFoundError =>
  new NotFoundError('BRANCH_NOT_FOUND', `repository ${repository} has no branch ${String(name).slice(0, 100)}`, {
    details: { repository, branch: name },
  });

export const branchExists = (repository: string, name: string, what: 'branch' | 'tag'): ConflictError =>
  new ConflictError('ALREADY_EXISTS', `repository ${repository} has a ${what} ${name} already: choose another name`, {
    details: { repository, branch: name },
  });

/** @throws ConflictError `BRANCH_DEFAULT` for `main`, and for the default branch of the settings */
export function checkNotDefault(
  repository: string,
  name: string,
  verb: 'deleted' | 'renamed',
  { defaultBranch = MAIN }: StoredSettings,
): void {
  if (name !== MAIN && name !== defaultBranch) return;
  const why = name === defaultBranch ? 'it is the default branch' : 'all others begin on it';
  throw new ConflictError('BRANCH_DEFAULT', `branch ${name} of repository ${repository} cannot be ${verb}: ${why}`, {
    details: { repository, branch: name },
  });
}
