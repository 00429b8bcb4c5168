/** The snapshots that one query or update holds while it runs: its own, and those of other repositories that it names. */
import type { Repositories, Task } from '@quadrille/sparql';
import type { QueriedRepository, QueriedRevision } from './open-other.js';
import type { OtherSnapshots } from './other-snapshots.js';

/** Closes everything that the query holds. */
export interface QueryPins extends Repositories {
  close(): void;
}

/** Rare data of queries outside of their repository. The module is loaded with the first such query. */
export const moreData = (): Promise<typeof import('./more-data.js')> => import('./more-data.js');

/** `own` is the snapshot of the query, and closed too. `record` is the revision that is queried. */
export function queryPins(
  own: { close(): void } | undefined,
  queried: QueriedRepository,
  record: QueriedRevision,
  task: Task | undefined,
): QueryPins {
  let others: Promise<OtherSnapshots> | undefined;
  return {
    open: (address) =>
      (others ??= moreData().then((loaded) => new loaded.OtherSnapshots(queried, record, task))).then((opened) =>
        opened.open(address),
      ),
    close() {
      own?.close();
      others?.then(
        (opened) => opened.close(),
        () => 0,
      );
    },
  };
}
