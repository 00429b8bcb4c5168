/**
 * A server of several over one store. As the holder it writes; otherwise it follows the holder and forwards writes to
 * it. Each change of the role opens the store anew, so nothing that was read in one role is written in another.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Handler } from '../handler.js';
import { type HttpRequest, serverOfUrl } from '../message/request.js';
import type { Reply } from '../message/reply.js';
import type { Client } from '../authentication.js';
import type { Prepare } from '../pipeline.js';
import type { ServeOptions } from '../node/node.js';
import type { ServerState, Service } from '../host/index.js';
import { QuadrilleError } from '@quadrille/model';
import type { Database, FollowingDriver, Logger, StoreMember } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { Forwarder, isForHolder, wasForwarded } from './forward/forwarder.js';
import { LinkHost, shownProof } from './forward/link-host.js';
import { linkProof, linkSecret, provenServer } from './forward/link-proof.js';
import { LEAVING, NO_HOLDER, refuse } from './forward/refusal.js';
import { refreshFor } from './freshness.js';

/** Time between two looks at the holder, in milliseconds. */
const LOOK_MS = 250;
/** How long answers that began in the former role may go on, in milliseconds. */
const OLD_ANSWERS_MS = 30_000;
/** Where a server takes links of others. */
const LINK_PATH = '/servers';

type Before = NonNullable<ServeOptions['before']>;

/** How a server opens what it serves. */
export interface ServerParts {
  readonly follow: boolean;
  readonly basePath: string | undefined;
  readonly logger: Logger;
  database(storage: ReturnType<StoreMember['holder']>): Promise<Database>;
  service(database: Database, follows: boolean, servers: () => readonly ServerState[]): Promise<Service>;
  handler(service: Promise<Service>, prepare: Prepare): Handler;
  rpc(service: Service): Before;
}

/** What is served in one role. */
interface Serving {
  readonly database: Database;
  readonly service: Service;
  readonly handler: Handler;
  /** Of the holder. */
  readonly rpc: Before | undefined;
  /** Of a follower. */
  readonly driver: FollowingDriver | undefined;
  /** Of the store, once it is known. */
  secret: string | undefined;
}

const codeOf = (error: unknown): string => (error instanceof QuadrilleError ? error.code : '');
const LOST: ReadonlySet<string> = new Set(['LEASE_LOST', 'HISTORY_LOST', 'SNAPSHOT_EXPIRED', 'COMMIT_UNKNOWN']);

/** Whether the state in memory is of no more use. A storage that could not be opened again tells why by the cause. */
function isLost(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (LOST.has(codeOf(cause))) return true;
  return false;
}

export class Servers {
  #now: Serving | undefined;
  #changing: Promise<void> | undefined;
  #looking = false;
  /** When the holder asked last whether it still is, by `performance.now()`. */
  #asked = Number.NEGATIVE_INFINITY;
  #refused = false;
  #timer: ReturnType<typeof setInterval> | undefined;
  #leaving = false;
  readonly #older = new Set<Serving>();
  /** Reads that are answered by a second role. */
  readonly #again = new WeakSet<HttpRequest>();
  readonly #forwarder: Forwarder;
  readonly #links: LinkHost;

  constructor(
    private readonly member: StoreMember,
    private readonly opening: Handler,
    private readonly parts: ServerParts,
  ) {
    this.#forwarder = new Forwarder({
      holder: () => this.#urlOfHolder(),
      mayHaveHolder: () => this.#mayHaveHolder(),
      onRefused: () => (this.#refused = true),
      linkProof: () => this.#linkProof(),
      linkPath: `${parts.basePath ?? ''}${LINK_PATH}`,
    });
    this.#links = new LinkHost({
      reply: (request, client) => this.reply(request, client),
      refusal: () =>
        this.#leaving ? ['NOT_READY', LEAVING] : this.holds ? undefined : ['STORE_UNAVAILABLE', NO_HOLDER],
    });
  }

  /** Takes the store, or follows the server that has it. */
  async start(): Promise<Service> {
    await this.member.open();
    this.#now = await this.#first();
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
    return this.#now.service;
  }

  /** Whether it writes. */
  get holds(): boolean {
    return this.#now !== undefined && this.#now.driver === undefined;
  }

  readonly reply: Handler['reply'] = (request, client) => (this.#now?.handler ?? this.opening).reply(request, client);

  /** Answers what is for another server. */
  readonly before: Before = (incoming, outgoing, identified) => {
    const now = this.#now;
    if (now === undefined) return false;
    if (now.driver === undefined)
      return this.#takesLink(now, incoming, outgoing) || now.rpc?.(incoming, outgoing, identified) === true;
    const { method = 'GET', url = '' } = incoming;
    if (!isForHolder(method, url, headersOf(incoming))) return false;
    if (wasForwarded(incoming)) refuse(outgoing, 'STORE_UNAVAILABLE', NO_HOLDER);
    else void this.#forwarder.forward(incoming, outgoing, isRepeatable(incoming, now.handler));
    return true;
  };

  /** Takes links of the other servers of the store. The requests on them have the credentials of their clients. */
  #takesLink({ secret }: Serving, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const proof = shownProof(incoming);
    if (proof === undefined || secret === undefined || this.#leaving) return false;
    const from = provenServer(secret, proof, this.member.id);
    const isKnown = from !== this.member.id && this.member.servers.some(({ server }) => server === from);
    if (isKnown) this.#links.accept(incoming, outgoing);
    return isKnown;
  }

  async #linkProof(): Promise<string | undefined> {
    const now = this.#now;
    if (now?.driver?.holder === undefined) return undefined;
    const secret = (now.secret ??= await linkSecret(hostOf(now.database), false));
    return secret === undefined ? undefined : linkProof(secret, this.member.id, now.driver.holder);
  }

  /** The URL of the server that writes. While a request waits, this one may have become it. */
  #urlOfHolder(): string | undefined {
    const now = this.#now;
    if (now === undefined) return undefined;
    const { id, servers } = this.member;
    const holder = now.driver === undefined ? id : now.driver.holder;
    // It held the store before, and does no more.
    if (now.driver !== undefined && holder === id) return undefined;
    return servers.find(({ server }) => server === holder)?.url;
  }

  #states(): ServerState[] {
    const { id: own, servers } = this.member;
    const holder = this.holds ? own : this.#now?.driver?.holder;
    return servers.map(({ server, ...known }) => ({
      id: server,
      role: server === holder ? 'holder' : 'follower',
      self: server === own,
      ...known,
    }));
  }

  #mayHaveHolder(): boolean {
    const { id, servers } = this.member;
    if (!this.parts.follow || this.#changing !== undefined) return true;
    return servers.some(
      ({ server, url, leaving, silentMs }) =>
        server !== id && url !== undefined && !leaving && silentMs < this.member.silenceMs,
    );
  }

  /** Tells the others that it ends, so that they do not take over while it finishes. */
  async leave(): Promise<void> {
    clearInterval(this.#timer);
    this.#leaving = true;
    this.#links.leave();
    await this.#changing?.catch(() => undefined);
    await this.member.leave();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#changing?.catch(() => undefined);
    const all = this.#now === undefined ? [] : [this.#now];
    this.#now = undefined;
    this.#forwarder.close();
    await Promise.all([...all, ...this.#older].map(end));
    await this.member.close();
  }

  async #first(): Promise<Serving> {
    if (this.parts.follow) return this.#follower();
    try {
      return await this.#holder(false);
    } catch (error) {
      if (codeOf(error) !== 'STORE_LOCKED' && codeOf(error) !== 'LEASE_LOST') throw error;
      return this.#follower();
    }
  }

  async #holder(takesOver: boolean): Promise<Serving> {
    return this.#serve(await this.parts.database(this.member.holder(takesOver)), undefined);
  }

  async #follower(): Promise<Serving> {
    const driver = this.member.follower();
    return this.#serve(await this.parts.database(driver), driver);
  }

  async #serve(database: Database, driver: FollowingDriver | undefined): Promise<Serving> {
    try {
      const service = await this.parts.service(database, driver !== undefined, () => this.#states());
      const prepare: Prepare = async (request, original, client) => {
        try {
          await refreshFor(request, database);
        } catch (error) {
          if (!isLost(error)) throw error;
          return this.#answerByNext(database, original, client, error);
        }
      };
      const handler = this.parts.handler(Promise.resolve(service), prepare);
      const rpc = driver === undefined ? this.parts.rpc(service) : undefined;
      const secret = await linkSecret(hostOf(database), driver === undefined);
      return { database, service, handler, rpc, driver, secret };
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Answers a read of a role that has ended by the next one. @throws the error that told of its end, where no role follows that may answer */
  async #answerByNext(ended: Database, request: HttpRequest, client: Client, error: unknown): Promise<Reply> {
    if (this.#now?.database === ended) this.#become(() => this.#follower());
    await this.#changing;
    const next = this.#now;
    const isOver = next === undefined || next.database === ended || this.#leaving || this.#again.has(request);
    const path = request.url.slice(serverOfUrl(request.url).length);
    if (isOver || isForHolder(request.method, path, (name) => request.headers.get(name))) throw error;
    this.#again.add(request);
    return next.handler.reply(request, client);
  }

  /** Changes the role, unless it is changing already. If that fails, the role stays, and is looked at again. */
  #become(open: () => Promise<Serving>): void {
    this.#changing ??= this.#change(open)
      .catch((error: unknown) =>
        this.parts.logger.warn('the role of this server could not be changed', { error: String(error) }),
      )
      .finally(() => (this.#changing = undefined));
  }

  async #change(open: () => Promise<Serving>): Promise<void> {
    const next = await open();
    const before = this.#now;
    this.#now = next;
    this.#refused = false;
    this.parts.logger.info(this.holds ? 'this server writes now' : 'this server follows now');
    if (before === undefined) return;
    this.#older.add(before);
    // Transactions of the former role cannot be committed.
    const timer = setTimeout(() => {
      void end(before).then(() => this.#older.delete(before));
    }, OLD_ANSWERS_MS);
    timer.unref();
  }

  async #look(): Promise<void> {
    const holder = this.#urlOfHolder();
    if (holder !== undefined) this.#forwarder.leaveOthers(holder);
    if (this.#looking || this.#changing !== undefined || this.#now === undefined) return;
    this.#looking = true;
    try {
      if (this.holds) await this.#askWhetherHeld(this.#now);
      else if (!this.parts.follow && (await this.#isHolderAway(this.#now))) this.#become(() => this.#holder(true));
    } catch (error) {
      if (isLost(error)) this.#become(() => this.#follower());
    } finally {
      this.#looking = false;
    }
  }

  async #askWhetherHeld({ database }: Serving): Promise<void> {
    // Signs of life look for the fence of a server that has taken over. A write that has met it has read the log since, so there is no news.
    const hasFailed = database.state === 'failed';
    if (!this.member.hasNews && !hasFailed) return;
    const now = performance.now();
    if (!hasFailed && now - this.#asked < this.member.beatMs) return;
    this.#asked = now;
    await hostOf(database).refresh();
  }

  async #isHolderAway({ database, driver }: Serving): Promise<boolean> {
    if (!(await this.#seemsAway(driver!.holder))) return false;
    // Another server may have taken over meanwhile, and signs of life may have come late.
    await this.member.beat();
    await hostOf(database).refresh();
    return this.#seemsAway(driver!.holder);
  }

  async #seemsAway(holder: string | undefined): Promise<boolean> {
    const known = this.member.servers.find(({ server }) => server === holder);
    if (known === undefined || known.server === this.member.id || known.silentMs >= this.member.silenceMs) return true;
    if (known.leaving || known.url === undefined) return false;
    const isRefused = this.#refused || (await refuses(known.url));
    this.#refused = false;
    return isRefused && (await refuses(known.url));
  }
}

const headersOf =
  ({ headers }: IncomingMessage) =>
  (name: string): string | null =>
    headers[name.toLowerCase()]?.toString() ?? null;

/** Whether a request is done once, however often it is sent. */
function isRepeatable(incoming: IncomingMessage, handler: Handler): boolean {
  const { method = 'GET', url = '' } = incoming;
  const valueOf = headersOf(incoming);
  const asked = { get: valueOf, has: (name: string) => valueOf(name) !== null };
  try {
    return handler.isRepeatable({ method, url: `http://localhost${url}`, headers: asked });
  } catch {
    // Its path or one of its headers is malformed, which the other server tells.
    return false;
  }
}

async function end({ service, database }: Serving): Promise<void> {
  await service.close().catch(() => undefined);
  await database.close().catch(() => undefined);
}

/** Whether nobody listens at the address of a URL. A machine that does not answer refuses nothing. */
function refuses(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)), timeout: LOOK_MS });
    const told = (refused: boolean) => (): void => {
      socket.destroy();
      resolve(refused);
    };
    socket.once('connect', told(false));
    socket.once('timeout', told(false));
    socket.once('error', (error) => told((error as NodeJS.ErrnoException).code === 'ECONNREFUSED')());
  });
}
