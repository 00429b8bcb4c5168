/** Checks names of accounts and repositories (`account/repository`), and makes the errors for missing repositories. */
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';

const NAME = /^[a-z0-9_][a-z0-9_-]{0,99}$/;

/** @throws InvalidArgumentError `INVALID_NAME` */
export function checkName(name: unknown, what: 'account' | 'repository'): void {
  if (typeof name === 'string' && NAME.test(name)) return;
  const shown = typeof name === 'string' ? JSON.stringify(name) : String(name);
  throw new InvalidArgumentError(
    'INVALID_NAME',
    `not ${what === 'account' ? 'an account' : 'a repository'} name: ${shown.slice(0, 120)} (a-z, 0-9, _ and -, at most 100)`,
  );
}

/** Checks both parts of a repository's full name. @throws InvalidArgumentError `INVALID_NAME` */
export function checkRepositoryName(name: string): void {
  const slash = name.indexOf('/');
  checkName(slash === -1 ? name : name.slice(0, slash), 'account');
  checkName(slash === -1 ? '' : name.slice(slash + 1), 'repository');
}

/** The error for a repository that the store does not have. */
export const repositoryNotFound = (name: string): NotFoundError =>
  new NotFoundError('REPOSITORY_NOT_FOUND', `there is no repository ${name}`, { details: { repository: name } });

export const repositoryDeleted = (name: string): NotFoundError =>
  new NotFoundError('REPOSITORY_DELETED', `repository ${name} was deleted`, { details: { repository: name } });

export const accountOf = (name: string): string => name.slice(0, name.indexOf('/'));
export const withoutAccount = (name: string): string => name.slice(name.indexOf('/') + 1);
