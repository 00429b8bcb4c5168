/**
 * Clients of several servers over one store, and the check that what they saw is linearizable, for each repository: there is one order
 * of all operations that follows time, and in which every read sees the writes before it. The log of the repository tells this order.
 */
import { open, type Revision } from 'quadrille';

/** What a client did, in milliseconds of one clock. */
interface Operation {
  readonly client: string;
  readonly repository: string;
  readonly begun: number;
  readonly ended: number;
  /** The UUID of the revision that was made or read; `undefined`: the answer did not come. */
  readonly revision: string | undefined;
  /** Of a write: what it inserted. */
  readonly label?: string;
  /** Of a read: the labels. */
  readonly labels?: readonly string[];
  /** Of a write without an answer: whether nothing of it may be there. */
  readonly refused?: boolean;
}

/** Answers that say that nothing was done. */
const REFUSED: ReadonlySet<string> = new Set(['STORE_UNAVAILABLE', 'LEASE_LOST', 'NOT_READY', 'STALE_READ']);
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

export interface Counts {
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  readonly reads: number;
}

/** What all clients of a store did. */
export class History {
  readonly operations: Operation[] = [];
  readonly #faults: string[] = [];
  #labels = 0;

  /**
   * Does operations, one after the other, until the signal ends it.
   * @param servers the URLs of the servers at the moment
   */
  async client(
    name: string,
    servers: () => readonly string[],
    repositories: readonly string[],
    random: () => number,
    signal: AbortSignal,
  ): Promise<void> {
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    while (!signal.aborted) {
      const url = `${pick(servers())}/${pick(repositories)}`;
      if (random() < 0.6) await this.#write(name, url);
      else await this.#read(name, url);
      await new Promise((resolve) => setTimeout(resolve, 5 + random() * 20));
    }
  }

  async #write(client: string, url: string): Promise<void> {
    const label = `${client}x${++this.#labels}`;
    const begun = performance.now();
    const told = { client, repository: repositoryOf(url), begun, label };
    try {
      const answer = await fetch(`${url}/sparql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/sparql-update', 'Revision-Message': label },
        body: `INSERT DATA { <urn:${label}> <urn:p> "1" ; <urn:q> "1" }`,
        signal: AbortSignal.timeout(60_000),
      });
      const body = await answer.text();
      const revision = answer.ok ? UUID.exec(answer.headers.get('ETag') ?? '')?.[0] : undefined;
      const refused = !answer.ok && this.#isRefused(answer.status, body, label);
      this.operations.push({ ...told, ended: performance.now(), revision, refused });
    } catch (error) {
      this.operations.push({ ...told, ended: performance.now(), revision: undefined, refused: isRefusal(error) });
    }
  }

  async #read(client: string, url: string): Promise<void> {
    const begun = performance.now();
    const told = { client, repository: repositoryOf(url), begun };
    try {
      const answer = await fetch(`${url}/statements`, {
        headers: { Accept: 'application/n-quads' },
        signal: AbortSignal.timeout(60_000),
      });
      const body = await answer.text();
      if (!answer.ok) return void this.#isRefused(answer.status, body, 'a read');
      const [p, q] = [/<urn:(\w+)> <urn:p>/g, /<urn:(\w+)> <urn:q>/g].map((form) =>
        Array.from(body.matchAll(form), ([, label]) => label!).toSorted(),
      );
      const revision = UUID.exec(answer.headers.get('ETag') ?? '')?.[0];
      if (p!.join() !== q!.join()) this.#faults.push(`${client} read a half of a write at ${String(revision)}`);
      this.operations.push({ ...told, ended: performance.now(), revision, labels: p! });
    } catch {
      // A server was killed. The read tells nothing.
    }
  }

  #isRefused(status: number, body: string, what: string): boolean {
    const code = /"code":"(\w+)"/.exec(body)?.[1] ?? '';
    if (status === 503 && REFUSED.has(code)) return true;
    if (status !== 503 || code !== 'COMMIT_UNKNOWN') this.#faults.push(`${what} was answered ${status} ${body}`);
    return false;
  }

  /**
   * Compares what clients saw with the logs of the store. @throws Error for the first thing that is wrong
   * @param store its URL. Other processes may be open
   */
  async check(store: string, repositories: readonly string[]): Promise<Counts> {
    if (this.#faults.length > 0) throw new Error(this.#faults[0]);
    const database = await open(store, { readOnly: true });
    try {
      for (const name of repositories) {
        const repository = await database.repository(name);
        const log = await repository.log().toArray();
        checkLinearizable(
          this.operations.filter((operation) => operation.repository === name),
          log.toReversed(),
        );
        const { problems } = await repository.maintenance.verify();
        if (problems.length > 0) throw new Error(`${name} is not in order: ${JSON.stringify(problems[0])}`);
      }
    } finally {
      await database.close();
    }
    const writes = this.operations.filter(({ label }) => label !== undefined);
    const acknowledged = writes.filter(({ revision }) => revision !== undefined).length;
    const refused = writes.filter((write) => write.refused === true).length;
    const reads = this.operations.length - writes.length;
    return { acknowledged, refused, unknown: writes.length - acknowledged - refused, reads };
  }
}

const repositoryOf = (url: string): string => new URL(url).pathname.slice(1);

/** Nobody listened at the address, so nothing was sent. */
const isRefusal = (error: unknown): boolean =>
  ((error as { cause?: { code?: unknown } }).cause?.code ?? '') === 'ECONNREFUSED';

/**
 * @param log the revisions from the first to the last one
 * @throws Error for the first operation that does not fit
 */
export function checkLinearizable(operations: readonly Operation[], log: readonly Revision[]): void {
  const wrong = (what: string): never => {
    throw new Error(what);
  };
  const numbers = new Map(log.map(({ id, number }) => [id, number]));
  const made = new Map<string, number>();
  for (const { message, number } of log) {
    if (message === undefined) continue;
    if (made.has(message)) wrong(`${message} is there twice: in revisions ${made.get(message)} and ${number}`);
    made.set(message, number);
  }
  /** What the log says of each operation: the number of its revision; `undefined`: it had no effect, as far as one can know. */
  const placed = operations.map((operation) => {
    const { label, labels, revision, refused, client } = operation;
    const number = revision === undefined ? undefined : numbers.get(revision);
    if (revision !== undefined && number === undefined)
      wrong(`${label ?? `a read of ${client}`} was told revision ${revision}, which is not in the log`);
    if (label === undefined) {
      const expected = Array.from(made).flatMap(([name, at]) => (at <= number! ? [name] : []));
      if (expected.toSorted().join() !== labels!.join())
        wrong(`${client} read ${labels!.length} writes at revision ${number}, which has ${expected.length}`);
      return { operation, number };
    }
    const there = made.get(label);
    if (refused === true && there !== undefined) wrong(`${label} was refused, and is in revision ${there}`);
    if (number !== undefined && there !== number) wrong(`${label} was told ${number}, and is in ${String(there)}`);
    return { operation, number: there };
  });
  checkOrder(placed);
}

interface Placed {
  readonly operation: Operation;
  readonly number: number | undefined;
}

/** Whatever had ended before an operation began comes before it. */
function checkOrder(placed: readonly Placed[]): void {
  // The end of a write without an answer is not known, so it has to come before nothing.
  const ends = placed
    .filter(({ operation, number }) => number !== undefined && operation.revision !== undefined)
    .toSorted((a, b) => a.operation.ended - b.operation.ended);
  let next = 0;
  let floor = 0;
  for (const { operation, number } of placed.toSorted((a, b) => a.operation.begun - b.operation.begun)) {
    while (next < ends.length && ends[next]!.operation.ended < operation.begun)
      floor = Math.max(floor, ends[next++]!.number!);
    if (number === undefined) continue;
    const { label, client } = operation;
    if (label === undefined ? number < floor : number <= floor)
      throw new Error(
        `${label ?? `a read of ${client}`} is at revision ${number}, and began when ${floor} had been seen`,
      );
  }
}
