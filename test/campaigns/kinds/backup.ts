import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BackupReport, type Database, iri, open, quad, type Repository, restore } from 'quadrille';
import { type Kind, must } from '../kind.js';

/** Rounds of a run, each with a backup into a directory and one into a stream. */
const ROUNDS = 4;
/** Commits that arrive at once: their group is too large for the journal. */
const BURST = 600;
/** Quads of a load. Their terms are too large for the journal, too. */
const LOADED = 1000;
const NAMES = ['acme/bursts', 'acme/seen'] as const;
const P = iri('urn:p');

type Backend = 'leveldb' | 'lmdb';

interface Made {
  /** The folder of the store that was made of the backup. */
  readonly restored: string;
  readonly report: BackupReport;
  /** Makes the store, if that is not done yet. */
  readonly restore?: () => Promise<unknown>;
}

/** A store under bursts of commits and loads, and backups of it. */
class BackedUp {
  #quads = 0;
  #commits = 0;
  #underWay = false;
  readonly #waiting: { readonly until: number; readonly resolve: () => void }[] = [];
  /** Heads of the first repository that commits of the second one name: each was acknowledged before. */
  readonly #seen = [0];
  readonly plan: string[] = [];

  constructor(
    private readonly folder: string,
    private readonly backend: Backend,
    private readonly random: () => number,
  ) {}

  async run(): Promise<void> {
    const db = await open(join(this.folder, 'store'), { backend: this.backend });
    try {
      const [bursts, seen] = await Promise.all(NAMES.map((name) => db.repository(name, { create: true })));
      await bursts!.add(this.#some(LOADED));
      await seen!.add(this.#some(1));
      for (let n = 1; n <= ROUNDS; n++) await this.#round(n, db, bursts!, seen!);
    } finally {
      await db.close();
    }
  }

  /** Two backups begin at moments of a burst, and of what follows it. */
  async #round(n: number, db: Database, bursts: Repository, seen: Repository): Promise<void> {
    this.#underWay = true;
    const begun = this.#kinds(n).map(async ({ kind, after, to }) => {
      await this.#committed(after);
      return this.#backUp(db, kind, join(this.folder, `restored-${n}-${kind}`), to);
    });
    const work = Promise.all([this.#write(bursts), this.#look(bursts, seen)]);
    const made = await Promise.all(begun).finally(() => (this.#underWay = false));
    await work;
    for (const backup of made) await this.#check(db, backup);
  }

  #kinds(n: number) {
    return (['directory', 'stream'] as const).map((kind) => {
      const after = Math.floor(1.5 * BURST * this.random());
      const to = this.random() < 0.5 ? ('leveldb' as const) : ('lmdb' as const);
      this.plan.push(`${n}: ${kind} after ${after} commits, to ${to}`);
      return { kind, after, to };
    });
  }

  /** Waits for so many commits of this round, and no longer than the burst lasts. */
  async #committed(count: number): Promise<void> {
    const until = this.#commits + Math.min(count, BURST / 2);
    await new Promise<void>((resolve) => this.#waiting.push({ until, resolve }));
  }

  async #commit(repo: Repository): Promise<void> {
    await repo.add(this.#some(1));
    this.#commits++;
    for (const { until, resolve } of this.#waiting) if (this.#commits >= until) resolve();
  }

  #some(count: number) {
    return Array.from({ length: count }, () => quad(iri(`urn:s${this.#quads++}`), P, iri(`urn:o${this.#quads}`)));
  }

  async #write(repo: Repository): Promise<void> {
    do {
      const burst = Math.floor(BURST * (0.5 + this.random()));
      await Promise.all(Array.from({ length: burst }, () => this.#commit(repo)));
      if (this.random() < 0.5) await repo.add(this.#some(LOADED));
      for (let n = 0; n < 3; n++) await this.#commit(repo);
      if (this.random() < 0.1) await repo.maintenance.compact();
    } while (this.#underWay);
    this.#waiting.length = 0;
  }

  async #look(bursts: Repository, seen: Repository): Promise<void> {
    while (this.#underWay) {
      const { number } = await bursts.revision();
      const { number: at } = await seen.add(this.#some(1));
      this.#seen[at] = number;
    }
  }

  async #check(db: Database, { restored, report, restore: make }: Made): Promise<void> {
    await make?.();
    const copy = await open(restored);
    try {
      const { problems } = await copy.verify();
      must(problems.length === 0, () => `${restored} has problems: ${JSON.stringify(problems.slice(0, 3))}`);
      for (const name of NAMES) await this.#compare(db, copy, name, report);
    } finally {
      await copy.close();
      rmSync(restored, { recursive: true, force: true });
    }
  }

  async #backUp(db: Database, kind: 'stream' | 'directory', to: string, backend: Backend): Promise<Made> {
    if (kind === 'directory') {
      const place = join(this.folder, 'backup');
      return { restored: to, report: await db.backup(place), restore: () => restore(place, to, { backend }) };
    }
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const [report] = await Promise.all([db.backup(writable), restore(readable, to, { backend })]);
    return { restored: to, report };
  }

  /** The copy is a revision of the store, whole, with all before it. */
  async #compare(db: Database, copy: Database, name: string, { heads }: BackupReport): Promise<void> {
    const [source, made] = await Promise.all([db.repository(name), copy.repository(name)]);
    const { number, id } = await made.revision();
    must(heads.find((head) => head.name === name)?.number === number, () => `${name} is at ${number}, not as told`);
    must((await source.at(number).revision()).id === id, () => `${name} has another revision ${number}`);
    const [is, was] = await Promise.all([digestOf(made), digestOf(source, number)]);
    must(is === was, () => `${name} has other quads at ${number}`);
    let expected = number;
    for await (const revision of made.log())
      must(revision.number === expected--, () => `${name} has ${revision.number} instead of ${expected + 1}`);
    if (name !== NAMES[1]) return;
    const first = await (await copy.repository(NAMES[0])).revision();
    must(
      first.number >= (this.#seen[number] ?? 0),
      () => `${name} is at ${number}, which has seen ${this.#seen[number]}, but ${NAMES[0]} is at ${first.number}`,
    );
  }
}

async function digestOf(repo: Repository, number?: number): Promise<string> {
  let text = '';
  for await (const chunk of (number === undefined ? repo : repo.at(number)).dump()) text += chunk;
  return createHash('sha256').update(text.split('\n').sort().join('\n')).digest('hex');
}

export const kind: Kind = {
  runs: 'stores',
  operations: 'backups',
  promise:
    'An online backup is one state that the store had, however many commits and loads arrive while it is made. It can be restored and verified.',
  how: `Two repositories get bursts of ${BURST / 2} to ${1.5 * BURST} commits at once, changes of ${LOADED} quads, single commits and compactions. Meanwhile backups begin: into a directory, as increments, and into streams. Each is restored into LevelDB or LMDB and verified. Its heads, ids, log and quads are compared with those revisions of the source, and the two heads with each other. Odd runs back up a store of LevelDB, even ones a store of LMDB.`,
  notPromised: 'A backup that has what is committed after it has begun.',
  goal: 500,
  async open() {
    return {
      async run(seed) {
        const folder = mkdtempSync(join(tmpdir(), 'quadrille-backups-'));
        const life = new BackedUp(folder, seed.index % 2 === 1 ? 'leveldb' : 'lmdb', seed.random());
        try {
          await life.run();
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
        return { plan: life.plan.join('\n'), operations: 2 * ROUNDS };
      },
    };
  },
};
