/** What the catalogue of a store says of its repositories. */
import { NotFoundError } from '@quadrille/model';
import { fromJson, nameIn, repositoryKey, toJson } from './catalogue.js';
import type { CatalogueAccess } from './catalogue.js';
import { afterPrefix, Area, areaKey } from '../format/layout.js';
import { checkRepositoryName, withoutAccount } from './names.js';
import { writeAlone } from '../keyspace/write-alone.js';

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
  constructor(private readonly access: CatalogueAccess) {}

  async get(name: string): Promise<RepositoryRecord | undefined> {
    this.access.check();
    checkRepositoryName(name);
    const value = await this.access.engine.get(repositoryKey(name));
    return value && (fromJson(value) as RepositoryRecord);
  }

  change(name: string, change: RecordFields): Promise<RepositoryRecord> {
    const { engine, durable, writeLock } = this.access;
    return writeLock.run(async () => {
      const record = await this.get(name);
      if (record === undefined) throw new NotFoundError('REPOSITORY_NOT_FOUND', `there is no repository ${name}`);
      const changed: Record<string, unknown> = { ...record };
      for (const [field, value] of Object.entries(change)) {
        if (value === null) delete changed[field];
        else changed[field] = value;
      }
      changed['name'] ??= withoutAccount(name);
      await writeAlone(engine, [{ type: 'put', key: repositoryKey(name), value: toJson(changed) }], durable);
      return changed as unknown as RepositoryRecord;
    });
  }

  /** Of all repositories, or of those of an account, sorted by name. */
  async list(account?: string): Promise<Map<string, RepositoryRecord>> {
    const { engine, check } = this.access;
    check();
    const head = account === undefined ? areaKey(Area.repository) : repositoryKey(`${account}/`);
    const found = new Map<string, RepositoryRecord>();
    for await (const chunk of engine.range({ gte: head, lt: afterPrefix(head) }, { read: 'entries' })) {
      for (const { key, value } of chunk) found.set(nameIn(key), fromJson(value) as RepositoryRecord);
    }
    return found;
  }
}
