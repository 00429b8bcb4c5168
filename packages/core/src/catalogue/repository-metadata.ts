/** What the catalogue says of one repository, for those who hold its handle. */
import type { Keyspace } from '../keyspace/keyspace.js';
import { repositoryDeleted } from './names.js';
import type { RecordFields, RepositoryRecord, RepositoryRecords } from './repository-records.js';

export class RepositoryMetadata {
  constructor(
    private readonly records: RepositoryRecords,
    private readonly keyspace: Keyspace,
  ) {}

  async get(): Promise<RepositoryRecord> {
    const { keyspace, records } = this;
    keyspace.check();
    const record = await records.get(keyspace.name);
    // A record of the same name may be of a repository that was made since.
    if (record?.id !== keyspace.id) throw repositoryDeleted(keyspace.name);
    return record;
  }

  /** `null` clears a field. */
  async set(change: RecordFields): Promise<RepositoryRecord> {
    this.keyspace.check();
    return this.records.change(this.keyspace.name, change, this.keyspace.id);
  }
}
