/** A process that shares the store of another one: its requests reach the holder by the protocol of the product, over a simulated wire. */
import type { Database, Repository, Transaction } from 'quadrille';
import type { SharedPlace } from 'quadrille/host';
import { ConflictError } from '@quadrille/model';
import type { Handler } from '@quadrille/server';
import { OpenDatabase } from '../../packages/quadrille/src/database.js';
import { lazyEngine } from '../../packages/quadrille/src/sparql/lazy-engine.js';
import type { HttpRequest } from '../../packages/server/src/message/request.js';
import type { Exchange, Sent, Wire } from '../../packages/server/src/share/exchange.js';
import { GuestDatabase } from '../../packages/server/src/share/guest-database.js';
import { GuestFetch } from '../../packages/server/src/share/guest-fetch.js';
import { answering } from '../../packages/server/src/share/holder.js';
import { Lost, unavailable } from '../../packages/server/src/share/lost.js';
import { check } from '../model/check.js';
import { below } from '../model/operations.mjs';
import { Life } from './held-calls.js';
import type { Server, World } from './world.js';

/** How long answers under way may keep a holder that ends, and how often a guest looks for the next one. */
const DRAIN_MS = 2000;
const LOOK_MS = 20;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** The one guest of a world. */
export class Guest {
  readonly life = new Life('guest');
  readonly database: Database;

  constructor(world: World) {
    this.#wire = new SimulatedWire(world);
    const reach = async (until: number): Promise<void> => {
      do {
        if (performance.now() > until) throw new Error('nobody holds the store');
        await sleep(LOOK_MS);
      } while (world.writer === undefined);
    };
    const { fetch } = new GuestFetch({ own: () => undefined, readOnly: false, reach }, this.#wire);
    const place = { location: 'simulated', functions: [] } as unknown as SharedPlace;
    this.database = new GuestDatabase(place, fetch, () => undefined).database;
  }

  readonly #wire: SimulatedWire;

  /** Lets a holder that ends answer what it has, and then cuts the connections to it. */
  drain(server: Server): Promise<void> {
    return this.#wire.drain(server);
  }
}

/** What is on its way to a holder. */
class SimulatedWire implements Wire {
  readonly #holders = new WeakMap<Server, ReturnType<typeof answering>>();
  /** Those to whom the connections are cut. */
  readonly #cut = new WeakMap<Server, { cut: () => void; done: Promise<void>; underWay: number }>();

  constructor(private readonly world: World) {}

  send(sent: Sent): Exchange {
    let leave: Exchange['leave'] = () => undefined;
    const left = new Promise<never>((_, reject) => (leave = (cause) => reject(new Lost('all', cause))));
    left.catch(() => undefined);
    return { answer: Promise.race([this.#answer(sent), left]), leave: (cause) => leave(cause) };
  }

  async #answer(sent: Sent): Promise<Response> {
    const { world } = this;
    const server = world.writer;
    await this.#delay();
    if (server === undefined || server.life.dead || world.writer !== server) throw new Lost('nothing');
    const connection = this.#connection(server);
    const lost = Promise.race([server.life.died, connection.done]).then(() => {
      throw new Lost('all');
    });
    lost.catch(() => undefined);
    connection.underWay++;
    try {
      const request = requestOf(sent);
      const reply = await Promise.race([this.#handler(server).reply(request), lost]);
      const { body, status } = reply;
      const headers = new Headers([...reply.headers].map(([name, value]): [string, string] => [name, value]));
      await Promise.race([this.#delay(), lost]);
      return new Response(body === null ? null : await whole(body, lost), { status, headers });
    } finally {
      connection.underWay--;
    }
  }

  #connection(server: Server) {
    let connection = this.#cut.get(server);
    if (connection === undefined) {
      let cut = (): void => undefined;
      const done = new Promise<void>((resolve) => (cut = resolve));
      this.#cut.set(server, (connection = { cut, done, underWay: 0 }));
    }
    return connection;
  }

  #handler(server: Server): Handler {
    let holder = this.#holders.get(server);
    if (holder === undefined) {
      const database = new OpenDatabase('simulated', server.store, lazyEngine(undefined, {}), undefined);
      this.#holders.set(server, (holder = answering(database, () => database)));
    }
    return holder.handler;
  }

  async drain(server: Server): Promise<void> {
    const connection = this.#connection(server);
    const until = performance.now() + DRAIN_MS;
    while (connection.underWay > 0 && performance.now() < until) await sleep(LOOK_MS);
    connection.cut();
    await this.#holders.get(server)?.close();
  }

  async lives(): Promise<boolean> {
    return true;
  }

  renew(): void {
    // Nothing is kept.
  }

  close(): void {
    // Nothing is kept.
  }

  #delay(): Promise<void> {
    const { world } = this;
    if (!world.calls.holds) return Promise.resolve();
    return new Promise((resolve) => void world.time.after(below(world.random, 20), resolve));
  }
}

/** An answer that breaks off has lost its holder. */
async function whole(body: string | Uint8Array | ReadableStream<Uint8Array>, lost: Promise<never>): Promise<BodyInit> {
  if (!(body instanceof ReadableStream)) return body as BodyInit;
  const chunks: Uint8Array[] = [];
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), lost]);
      // A blob would be read by threads, at any time.
      if (done) return Buffer.concat(chunks);
      chunks.push(value);
    }
  } catch (cause) {
    throw unavailable('the process that holds the store ended within its answer', cause);
  }
}

function requestOf({ method, path, headers, body, signal }: Sent): HttpRequest {
  check(body === undefined || body instanceof Uint8Array, () => 'a guest of a simulation sends no streams');
  let left: Uint8Array | undefined = body as Uint8Array | undefined;
  return {
    method,
    url: `http://localhost${path}`,
    headers: new Headers(headers),
    body: body === undefined ? null : once(() => left),
    arrived() {
      const taken = left;
      left = undefined;
      return taken;
    },
    signal: signal ?? new AbortController().signal,
  };
}

async function* once(take: () => Uint8Array | undefined): AsyncGenerator<Uint8Array> {
  const bytes = take();
  if (bytes !== undefined) yield bytes;
}

// ── Steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Quads of lines in the braces of an update. */
function block(lines: readonly string[]): string {
  const parts = lines.map((line) => {
    const graph = / (<a:g>) \.$/.exec(line);
    return graph === null ? line : `GRAPH ${graph[1]} { ${line.slice(0, graph.index)} . }`;
  });
  return `{ ${parts.join('\n')} }`;
}

/** A change as one update. */
export const updateText = (added: readonly string[], removed: readonly string[]): string =>
  `DELETE DATA ${block(removed)} ; INSERT DATA ${block(added)}`;

/** The same in two steps of a transaction, which may have to begin again. */
export function changeInTransaction(
  repository: Repository,
  [added, removed]: readonly [added: readonly string[], removed: readonly string[]],
  message: string,
): ReturnType<Repository['transaction']> {
  const run = async (transaction: Transaction): Promise<void> => {
    await transaction.update(`DELETE DATA ${block(removed)}`);
    await transaction.update(`INSERT DATA ${block(added)}`);
  };
  return repository.transaction(run, { message });
}

/** Codes of errors by which a guest hears that it has lost its holder. */
const LOST = new Set(['STORE_UNAVAILABLE', 'COMMIT_UNKNOWN']);

/**
 * Judges what a guest was told of a change: `refused` where it certainly has no effect, `unknown` where that is not known.
 * @throws the error, where it says anything else
 */
export function toldOf(world: World, error: unknown): 'refused' | 'unknown' {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  if (!LOST.has(String(code))) {
    if (error instanceof ConflictError) return 'refused';
    throw error;
  }
  check(world.replaced || world.calls.failed > 0, () => `a guest hears ${code} of a holder that was there: ${message}`);
  return code === 'STORE_UNAVAILABLE' ? 'refused' : 'unknown';
}
