import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iri, literal, open, quad, type Repository } from 'quadrille';
import { type Kind, must } from '../kind.js';

const P = iri('urn:p');
const Q = iri('urn:q');

type Action = 'write' | 'transaction' | 'read' | 'pinned';

interface Acknowledged {
  readonly label: string;
  readonly number: number;
}

/** One client: each write adds two quads at once, and each read must see both or none. */
class Client {
  readonly acknowledged: Acknowledged[] = [];
  #seen = 0;

  constructor(
    private readonly name: string,
    private readonly repository: Repository,
  ) {}

  async act(action: Action, n: number): Promise<void> {
    const label = `${this.name}x${n}`;
    const quads = [quad(iri(`urn:${label}`), P, literal('1')), quad(iri(`urn:${label}`), Q, literal('1'))];
    if (action === 'write') this.#told(label, (await this.repository.add(quads, { message: label })).number);
    else if (action === 'transaction') {
      const { number } = await this.repository.transaction(
        async (transaction) => {
          await transaction.add(quads[0]!);
          await transaction.add(quads[1]!);
        },
        { message: label },
      );
      this.#told(label, number);
    } else if (action === 'pinned' && this.#seen > 1) await this.#pinned();
    else await this.#read();
  }

  #told(label: string, number: number): void {
    this.acknowledged.push({ label, number });
    this.#notBack(number);
  }

  #notBack(number: number): void {
    must(number >= this.#seen, () => `${this.name} saw revision ${this.#seen}, and then ${number}`);
    this.#seen = number;
  }

  /** Own writes are there, and the two halves of every write. */
  async #read(): Promise<void> {
    const view = this.repository.at((await this.repository.revision()).number);
    const { number } = await view.revision();
    this.#notBack(number);
    const [p, q] = await Promise.all([subjects(view, 'urn:p'), subjects(view, 'urn:q')]);
    must([...p].toSorted().join() === [...q].toSorted().join(), () => `revision ${number} has half of a write`);
    for (const { label } of this.acknowledged)
      must(p.has(`urn:${label}`), () => `${this.name} does not see its own ${label} at ${number}`);
  }

  /** An earlier revision stays what it was. */
  async #pinned(): Promise<void> {
    const { label, number } = this.acknowledged.at(-1) ?? { label: undefined, number: this.#seen };
    const view = this.repository.at(number);
    const [p, size] = [await subjects(view, 'urn:p'), await view.size()];
    must(size === 2 * p.size, () => `revision ${number} has ${size} quads, and ${p.size} halves`);
    must(label === undefined || p.has(`urn:${label}`), () => `revision ${number} is without ${label}`);
  }
}

async function subjects(view: ReturnType<Repository['at']>, predicate: string): Promise<Set<string>> {
  const quads = await view.quads({ predicate: iri(predicate) }).toArray();
  return new Set(quads.map(({ subject }) => subject.value));
}

export const kind: Kind = {
  runs: 'histories',
  operations: 'operations',
  promise:
    'What was acknowledged to any of several clients is there exactly once, in the revision that was told. A read is of one revision. The revisions that a client sees never go back.',
  how: 'Up to eight clients write, read, run transactions and read earlier revisions at once, in memory, LevelDB and LMDB. Each write has two halves. The whole history is checked at the end, and again after the store was opened anew.',
  notPromised: 'Several servers over one store: the kinds promotion and server-kill try them.',
  goal: 5000,
  async open() {
    return {
      async run(seed) {
        const random = seed.random();
        const directory = mkdtempSync(join(tmpdir(), 'quadrille-campaign-'));
        const backend = (['leveldb', 'lmdb'] as const)[seed.index % 3];
        const open_ = () =>
          backend === undefined ? open(':memory:') : open(join(directory, 'store'), { create: true, backend });
        const database = await open_();
        const plans = Array.from({ length: 2 + Math.floor(random() * 7) }, () =>
          Array.from({ length: 4 + Math.floor(random() * 12) }, (): Action => {
            const chance = random();
            return chance < 0.4 ? 'write' : chance < 0.55 ? 'transaction' : chance < 0.85 ? 'read' : 'pinned';
          }),
        );
        let reopened: Awaited<ReturnType<typeof open>> | undefined;
        try {
          const repository = await database.repository('campaign/clients', { create: true });
          const clients = plans.map((_, n) => new Client(`c${n}`, repository));
          await Promise.all(
            clients.map(async (client, c) => {
              for (const [n, action] of plans[c]!.entries()) await client.act(action, n);
            }),
          );
          const told = clients.flatMap(({ acknowledged }) => acknowledged);
          await checkLog(repository, told);
          await database.close();
          if (backend !== undefined) {
            reopened = await open_();
            await checkLog(await reopened.repository('campaign/clients'), told);
            must((await reopened.verify()).ok, () => 'the store is not in order');
          }
        } finally {
          await database.close();
          await reopened?.close();
          rmSync(directory, { recursive: true, force: true });
        }
        return { plan: `${backend} ${JSON.stringify(plans)}`, operations: plans.flat().length };
      },
    };
  },
};

/** Each acknowledged write made the revision that was told, and nothing else made any. */
async function checkLog(repository: Repository, told: readonly Acknowledged[]): Promise<void> {
  const log = await repository.log().toArray();
  const size = await repository.size();
  must(log.length === told.length + 1, () => `${log.length} revisions, ${told.length} were acknowledged`);
  must(size === 2 * told.length, () => `${size} quads, ${told.length} writes were acknowledged`);
  const byNumber = new Map(log.map(({ number, message }) => [number, message]));
  for (const { label, number } of told)
    must(byNumber.get(number) === label, () => `${label} was told ${number}, which is ${byNumber.get(number)}`);
}
