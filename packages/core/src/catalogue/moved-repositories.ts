/**
 * Repositories that move to another store. While one is copied, its record names the other store, and it takes no writes. Afterwards
 * a record of the server stands in its place, so that its clients are told where it is.
 */
import { NotFoundError, StateError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { afterPrefix, Area, areaKey, textKey } from '../format/layout.js';
import { fromJson } from '../format/byte-codec.js';
import type { Catalogue } from './catalogue.js';
import { recordOps } from './service-records.js';

/** A move that has begun. */
export interface MoveUnderWay {
  /** UUID of the move. */
  readonly id: string;
  /** UUID of the other store. */
  readonly store: string;
  /** Where that is, for people: without a password. */
  readonly to: string;
}

/** A repository that is in another store now. */
export interface MovedRepository extends MoveUnderWay {
  /** The address of a server there, without a slash at the end. */
  readonly redirect?: string | undefined;
  /** When the repository was created (ISO 8601). */
  readonly created: string;
  /** When it was moved (ISO 8601). */
  readonly moved: string;
}

const PREFIX = 'moved/';

/** The writes that put a record in the place of a moved repository, or remove it. */
export const movedOps = (name: string, moved: MovedRepository | undefined): WriteOp[] =>
  recordOps([{ key: PREFIX + name, value: moved }]);

/** Removes the records of all moved repositories of an account. */
export function forgetMovedOf(account: string): WriteOp {
  const gte = textKey(areaKey(Area.service), `${PREFIX}${account}/`);
  return { type: 'deleteRange', gte, lt: afterPrefix(gte) };
}

export class MovedRepositories {
  constructor(private readonly catalogue: Catalogue) {}

  async get(name: string): Promise<MovedRepository | undefined> {
    this.catalogue.check();
    const value = await this.catalogue.engine.get(textKey(areaKey(Area.service), PREFIX + name));
    return value && (fromJson(value) as MovedRepository);
  }

  /** @throws NotFoundError `REPOSITORY_MOVED` */
  async assertNone(name: string): Promise<void> {
    const moved = await this.get(name);
    if (moved !== undefined) throw repositoryMoved(name, moved);
  }

  /** Frees the name. Returns false if no repository of this name was moved. */
  forget(name: string): Promise<boolean> {
    const { catalogue } = this;
    return catalogue.change(async () => {
      if ((await this.get(name)) === undefined) return false;
      await catalogue.writeAlone(movedOps(name, undefined), true);
      return true;
    }, true);
  }
}

/** The error for a change of a repository that is being moved. */
export const repositoryMoving = (name: string, { to }: MoveUnderWay): StateError =>
  new StateError(
    'REPOSITORY_MOVING',
    `repository ${name} is being moved to ${to}, and takes no changes: try again when it is there, or run the same move again if it was interrupted`,
    { details: { repository: name, to } },
  );

/** The error for a repository that is in another store now. */
export function repositoryMoved(name: string, { to, redirect, created }: MovedRepository): NotFoundError {
  const location = redirect === undefined ? undefined : `${redirect}/${name}`;
  const place = location === undefined ? to : `${location} (${to})`;
  return new NotFoundError('REPOSITORY_MOVED', `repository ${name} has moved to ${place}`, {
    details: { repository: name, to, redirect, location, created },
  });
}
