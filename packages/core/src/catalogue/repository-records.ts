/** What the catalogue of a store says of its repositories. */
import type { WriteOp } from '@quadrille/storage';
import { afterPrefix, Area, areaKey } from '../format/layout.js';
import type { Accounts } from './accounts.js';
import { droppedKey, fromJson, nameIn, nextRepositoryOp, repositoryKey, toJson } from './catalogue.js';
import type { Catalogue } from './catalogue.js';
import { accountOf, checkRepositoryName, repositoryDeleted, withoutAccount } from './names.js';

/** What the catalogue says of a repository beside its data. Not versioned. */
export interface RepositoryRecord {
  /** Its number in keys. */
  readonly id: number;
  /** The name as it was given. */
  readonly name: string;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly homepage?: string | undefined;
  /** ISO 8601. */
  readonly created: string;
}

/** What is said of a repository that is still to be made. */
export type NewRepository = Omit<RepositoryRecord, 'id' | 'created'>;
/** `null` clears a field. */
export type RecordFields = Partial<Record<'name' | 'summary' | 'description' | 'homepage', string | null>>;

export class RepositoryRecords {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly accounts: Accounts,
  ) {}

  async get(name: string): Promise<RepositoryRecord | undefined> {
    this.catalogue.check();
    checkRepositoryName(name);
    const value = await this.catalogue.engine.get(repositoryKey(name));
    return value && (fromJson(value) as RepositoryRecord);
  }

  /**
   * Makes a repository that is not there: one batch writes its record, its first revision (`dataOf` its number) and,
   * where it is the first of its account, the account.
   */
  create(name: string, given: NewRepository, dataOf: (id: number) => readonly WriteOp[]): Promise<RepositoryRecord> {
    const { catalogue } = this;
    return catalogue.lock.run(async () => {
      const account = await this.accounts.creation(accountOf(name));
      // As it is stored: a failed write leaves it open whether a number was taken.
      const id = (await catalogue.nextRepository()) ?? 1;
      const record = { ...given, id, created: new Date(catalogue.env.now()).toISOString() };
      await catalogue.writeAlone([
        ...account,
        ...dataOf(id),
        nextRepositoryOp(id + 1),
        { type: 'put', key: repositoryKey(name), value: toJson(record) },
      ]);
      return record;
    });
  }

  /** Takes a repository out and marks its data for deletion. From here on it is gone. */
  drop(name: string, id: number): Promise<void> {
    const { catalogue } = this;
    return catalogue.lock.run(() =>
      catalogue.writeAlone(
        [
          { type: 'delete', key: repositoryKey(name) },
          { type: 'put', key: droppedKey(id), value: new Uint8Array(0) },
        ],
        true,
      ),
    );
  }

  /** Changes the record of the repository of this number. @throws NotFoundError `REPOSITORY_DELETED` */
  change(name: string, change: RecordFields, id: number): Promise<RepositoryRecord> {
    const { catalogue } = this;
    return catalogue.lock.run(async () => {
      const record = await this.get(name);
      if (record?.id !== id) throw repositoryDeleted(name);
      const changed: Record<string, unknown> = { ...record };
      for (const [field, value] of Object.entries(change)) {
        if (value === null) delete changed[field];
        else changed[field] = value;
      }
      changed['name'] ??= withoutAccount(name);
      await catalogue.writeAlone([{ type: 'put', key: repositoryKey(name), value: toJson(changed) }]);
      return changed as unknown as RepositoryRecord;
    });
  }

  /** Of all repositories, or of those of an account, sorted by name. */
  async list(account?: string): Promise<Map<string, RepositoryRecord>> {
    const { engine, check } = this.catalogue;
    check();
    const head = account === undefined ? areaKey(Area.repository) : repositoryKey(`${account}/`);
    const found = new Map<string, RepositoryRecord>();
    for await (const chunk of engine.range({ gte: head, lt: afterPrefix(head) }, { read: 'entries' })) {
      for (const { key, value } of chunk) found.set(nameIn(key), fromJson(value) as RepositoryRecord);
    }
    return found;
  }
}
