import { WITHOUT_POSTGRES } from '../../postgres/server.js';
import { Chain } from '../../copies/chain.js';
import type { PlaceKind } from '../../copies/places.js';
import type { Kind } from '../kind.js';

/** Copies of one chain. */
const COPIES = 4;
const LOCAL: readonly PlaceKind[] = ['memory', 'asynchronous', 'leveldb', 'lmdb'];
const SHARED: readonly PlaceKind[] = ['shared-memory', 's3'];
/** Chains between which one goes over PostgreSQL, whose server takes a second to start. */
const POSTGRES_EACH = 10;

const kindsOf = (index: number): readonly PlaceKind[] => {
  if (index % POSTGRES_EACH === 0 && WITHOUT_POSTGRES === '') return [...LOCAL, ...SHARED, 'postgres'];
  return index % 2 === 0 ? [...LOCAL, ...SHARED] : LOCAL;
};

export const kind: Kind = {
  runs: 'chains',
  operations: 'copies',
  promise:
    'Whatever way a repository goes out of one store and into another one, the copy opens again and has what its original has: all branches, revisions, tags and prefixes. This holds for copies of copies, and of what was trimmed, erased, branched and merged.',
  how: 'A chain changes a repository by random changes, trims, erasures, branches, merges and fast-forwards. Then it copies it into another store. The ways are a clone, a history file, a push, a fork, a move, a recovery, and a backup that is restored or set back. Both stores are closed, opened, compared revision by revision and verified, some after a rebuild. The copy goes on. Stores are memory, LevelDB, LMDB, a shared store in memory, S3 and PostgreSQL, with tiny and with usual sizes.',
  notPromised: 'That a history file carries how often data were erased.',
  goal: 10_000,
  async open() {
    return {
      async run(seed) {
        const chain = new Chain(kindsOf(seed.index), seed.number());
        await chain.run(COPIES);
        return { plan: chain.plan.join('\n'), operations: COPIES };
      },
    };
  },
};
