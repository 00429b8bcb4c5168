/** Snapshots of other repositories for one query. Each repository has one newest revision, however often it is named. */
import type { Repository as CoreRepository, Snapshot } from '@quadrille/core';
import { EvaluationError, StateError } from '@quadrille/model';
import type { IdDataset, QueryableDataset, RepositoryAddress, Task } from '@quadrille/sparql';
import type { TaskOptions } from '../host/host-types.js';
import { SnapshotDataset } from './datasets.js';
import { SnapshotIdDataset } from './id-datasets.js';
import { CORE, type OpenOther, type QueriedRepository, type QueriedRevision } from './open-other.js';

/** A repository in the query. */
interface Pinned {
  readonly core: CoreRepository;
  /** The newest revision when it was first named. */
  readonly head: QueriedRevision;
  /** The meaning of a name without a revision: HEAD, or for the queried repository the queried revision. */
  readonly record: QueriedRevision;
}

/** Opens other repositories for a call. If the call belongs to a task, the opener of the task decides, and a task without an opener refuses. */
function openerFor(task: Task | undefined, every: OpenOther): OpenOther {
  if (task === undefined) return every;
  const open = (task as TaskOptions).repositories;
  return async (name) => {
    if (open === undefined) throw new EvaluationError('UNSUPPORTED', `other repositories cannot be read here: ${name}`);
    const { [CORE]: core } = (await open(name)) as { readonly [CORE]?: CoreRepository };
    if (core !== undefined) return core;
    throw new EvaluationError('UNSUPPORTED', `the repository ${name} is not one of this database`);
  };
}

/** A snapshot whose repository may be deleted while nothing else looks after it. */
class OtherIds extends SnapshotIdDataset {
  check(): void {
    this.snapshot.check();
  }
}

class OtherDataset extends SnapshotDataset {
  readonly #ids: IdDataset;

  constructor(snapshot: Snapshot) {
    super(snapshot);
    this.#ids = new OtherIds(snapshot);
  }

  override get ids(): IdDataset {
    return this.#ids;
  }
}

export class OtherSnapshots {
  readonly #snapshots: Snapshot[] = [];
  /** By name: the repository, with the newest revision at the time when it was first named. */
  readonly #repositories = new Map<string, Promise<Pinned>>();
  /** By repository and revision. */
  readonly #datasets = new Map<string, QueryableDataset>();
  #closed = false;

  readonly #openOther: OpenOther;

  constructor(
    private readonly queried: QueriedRepository,
    private readonly record: QueriedRevision,
    task: Task | undefined,
  ) {
    this.#openOther = openerFor(task, (name) => queried.store.repository(name));
  }

  /** @throws NotFoundError, InvalidArgumentError, AccessError; StateError after the end of the query */
  async open({ name, ref }: RepositoryAddress): Promise<QueryableDataset> {
    let repository = this.#repositories.get(name);
    if (repository === undefined) this.#repositories.set(name, (repository = this.#find(name)));
    const pinned = await repository;
    const record = await this.#revisionOf(pinned, ref);
    await pinned.core.ownerOf(record).ready();
    return this.#datasetOf(name, pinned.core, record);
  }

  async #revisionOf({ core, head, record }: Pinned, ref: string | undefined): Promise<QueriedRevision> {
    if (ref === undefined) return record;
    return ref === 'HEAD' ? head : core.locate(ref);
  }

  async #find(name: string): Promise<Pinned> {
    const opened = await this.#openOther(name);
    await opened.ready();
    const { core: queried } = this.queried;
    // Of the queried repository, the branch that is queried.
    const isQueried = opened.handle.root === queried.handle.root;
    const core = isQueried ? queried : opened;
    const { head } = core;
    return { core, head, record: isQueried ? this.record : head };
  }

  #datasetOf(name: string, core: CoreRepository, record: QueriedRevision): QueryableDataset {
    // The query may have ended while the repository was read from the storage.
    if (this.#closed) throw new StateError('SNAPSHOT_CLOSED', 'the query has ended');
    const key = `${name}@${record.number} ${core.ownerOf(record).handle.key}`;
    let dataset = this.#datasets.get(key);
    if (dataset === undefined) {
      const snapshot = core.snapshotOf(record);
      this.#snapshots.push(snapshot);
      this.#datasets.set(key, (dataset = new OtherDataset(snapshot)));
    }
    return dataset;
  }

  close(): void {
    this.#closed = true;
    for (const snapshot of this.#snapshots) snapshot.close();
  }
}
