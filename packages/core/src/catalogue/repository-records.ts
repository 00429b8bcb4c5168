/** The records of the repositories in the catalogue. */
import type { WriteOp } from '@quadrille/storage';
import { afterPrefix, Area, areaKey } from '../format/layout.js';
import type { FormatGate } from '../keyspace/format-gate.js';
import type { Accounts } from './accounts.js';
import { fromJson, toJson } from '../format/byte-codec.js';
import { droppedOp, nameIn, repositoryKey, storeEntryOp } from './catalogue.js';
import type { Catalogue } from './catalogue.js';
import type { MoveUnderWay } from './moved-repositories.js';
import { repositoryMoving } from './moved-repositories.js';
import { accountOf, checkRepositoryName, repositoryDeleted, withoutAccount } from './names.js';

/** The catalogue record of a repository. Records have no versions. */
export interface RepositoryRecord {
  /** The number of the repository in keys. */
  readonly id: number;
  /** Display name, as the caller gave it. */
  readonly name: string;
  /** A line about it. */
  readonly summary?: string | undefined;
  /** A longer text about it. */
  readonly description?: string | undefined;
  /** The address of a page about it. */
  readonly homepage?: string | undefined;
  /** Time of creation (ISO 8601). */
  readonly created: string;
  /** Where it is being moved to. Until that has ended it takes no writes. */
  readonly moving?: MoveUnderWay | undefined;
  /** UUID of the move that has brought it from another store. */
  readonly move?: string | undefined;
}

/** The record of a repository that is to be created. */
export type NewRepository = Omit<RepositoryRecord, 'id' | 'created' | 'moving' | 'move'>;
/** Changes of a record; `null` clears a field. */
export type RecordFields = Partial<Record<'name' | 'summary' | 'description' | 'homepage', string | null>>;

export class RepositoryRecords {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly accounts: Accounts,
    private readonly format: FormatGate,
  ) {}

  async get(name: string, engine = this.catalogue.engine): Promise<RepositoryRecord | undefined> {
    this.catalogue.check();
    checkRepositoryName(name);
    const value = await engine.get(repositoryKey(name));
    return value && (fromJson(value) as RepositoryRecord);
  }

  /**
   * Creates a repository. One batch writes its record, its first revision and, if necessary, its account. `dataOf`
   * returns the writes of the first revision for the repository's number. The caller has checked that the repository
   * does not exist.
   */
  async create(
    name: string,
    given: NewRepository,
    dataOf: (id: number) => readonly WriteOp[],
  ): Promise<RepositoryRecord> {
    const { catalogue } = this;
    // The first revision is a record of the newest format.
    await this.format.raise();
    return catalogue.change(async () => {
      const account = await this.accounts.creation(accountOf(name));
      // Read from the storage, not from memory: after a failed write, memory could not tell whether the number was
      // used.
      const entry = await catalogue.entry();
      const id = entry?.nextRepository ?? 1;
      const record = { ...given, id, created: new Date(catalogue.env.now()).toISOString() };
      await catalogue.writeAlone([
        ...account,
        ...dataOf(id),
        storeEntryOp(id + 1, entry?.id ?? catalogue.newStoreId()),
        { type: 'put', key: repositoryKey(name), value: toJson(record) },
      ]);
      return record;
    });
  }

  /** Deletes the record of a repository and marks its data for deletion. */
  drop(name: string, id: number): Promise<void> {
    const { catalogue } = this;
    const ops: WriteOp[] = [{ type: 'delete', key: repositoryKey(name) }, droppedOp(id)];
    return catalogue.change(() => catalogue.writeAlone(ops, true), true);
  }

  /**
   * Changes the record of a repository, if the record has this number.
   * @throws NotFoundError `REPOSITORY_DELETED`; StateError `REPOSITORY_MOVING`
   */
  change(name: string, change: RecordFields, id: number): Promise<RepositoryRecord> {
    const { catalogue } = this;
    return catalogue.change(async () => {
      const record = await this.get(name);
      if (record?.id !== id) throw repositoryDeleted(name);
      if (record.moving !== undefined) throw repositoryMoving(name, record.moving);
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

  /** The records of all repositories, or of those of one account, sorted by name. */
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
