/** The catalogue record of one repository. */
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
    // The record may belong to a new repository of the same name.
    if (record?.id !== keyspace.id) throw repositoryDeleted(keyspace.name);
    return record;
  }

  /** Changes fields of the record; `null` clears a field. */
  async set(change: RecordFields): Promise<RepositoryRecord> {
    this.keyspace.check();
    return this.records.change(this.keyspace.name, change, this.keyspace.id);
  }
}
