/**
 * Forwards requests to the server that writes. A request that makes one commit has a key on its way, so it is sent again where its
 * outcome is not known. Short ones share a link. Other requests and answers are streamed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Attempt, bodyOf, codeForAgain, type Failure, fieldsOf, KeptConnections } from './attempt.js';
import { fitsLink, LinkClient, type LinkedAnswer } from './link-client.js';
import { AWAY, NO_HOLDER, refuse, UNKNOWN } from './refusal.js';

/** On a forwarded request: it is not forwarded again. The value is the key with which it is done once. */
const FORWARDED = 'quadrille-forwarded';
/** How long a request is sent again, and time between two attempts, in milliseconds. */
const AGAIN_MS = 10_000;
const PAUSE_MS = 50;
/** Time between two tries to open a link, in milliseconds; it doubles up to the longest. */
const LINK_PAUSE_MS = 1000;
const LONGEST_LINK_PAUSE_MS = 60_000;
/** Longest body that is held so that it can be sent again; and the sum of all that are held, in bytes. */
const MOST_BODY = 1024 * 1024;
const MOST_HELD = 64 * 1024 * 1024;
/** The work of the server that writes lives there: jobs, running queries, open transactions. */
const AT_HOLDER = /\/(?:jobs|ops|status|queries|transactions)(?:[/?]|$)/;

/** Whether only the server that writes can answer. Other requests read. */
export function isForHolder(method: string, url: string, header: (name: string) => string | null): boolean {
  if (method === 'OPTIONS') return false;
  if (AT_HOLDER.test(url) || header('x-http-method-override') !== null) return true;
  if (method === 'GET' || method === 'HEAD') return false;
  return method !== 'POST' || !/^application\/sparql-query\b/i.test(header('content-type') ?? '');
}

/** Whether another server has forwarded the request already. */
export const wasForwarded = ({ headers }: IncomingMessage): boolean => headers[FORWARDED] !== undefined;

/** Where requests go. */
export interface Destination {
  /** The URL of the server that writes, as far as this one knows; `undefined`: there is none. */
  readonly holder: () => string | undefined;
  /** Whether there may be one soon. */
  readonly mayHaveHolder: () => boolean;
  /** Called if nobody listens at that URL. */
  readonly onRefused: () => void;
  /** What shows the server that writes that this one is of the store; `undefined` while it cannot be shown. */
  readonly linkProof: () => Promise<string | undefined>;
  /** The path at which the other server takes links. */
  readonly linkPath: string;
}

/** What one server forwards. */
export class Forwarder {
  #held = 0;
  /** The attempts with requests that may be sent again. */
  readonly #underWay = new Set<Attempt>();
  readonly #kept = new KeptConnections();
  #link: LinkClient | undefined;
  /** When the next link may be opened, by `performance.now()`, and how long after that the next one. */
  #linkFrom = 0;
  #linkPause = LINK_PAUSE_MS;
  #isClosed = false;

  constructor(private readonly to: Destination) {}

  /**
   * Sends requests again that wait for an answer of a server that no longer writes: it may be suspended, or its machine gone.
   * @param holder the URL of the server that writes
   */
  leaveOthers(holder: string): void {
    if (this.#link !== undefined && this.#link.holder !== holder) this.#closeLink();
    for (const attempt of this.#underWay) if (attempt.holder !== holder) attempt.leave();
  }

  /** Closes all connections that stay open. */
  close(): void {
    this.#isClosed = true;
    this.#closeLink();
    this.#kept.close();
  }

  /**
   * Sends the request to the server that writes, with the caller's credentials, and its answer back.
   * @param isRepeatable whether the request is done once, however often it is sent
   */
  async forward(incoming: IncomingMessage, outgoing: ServerResponse, isRepeatable: boolean): Promise<void> {
    const length = Number(incoming.headers['content-length'] ?? 0);
    const isHeld =
      isRepeatable &&
      incoming.headers['transfer-encoding'] === undefined &&
      length <= MOST_BODY &&
      this.#held + length <= MOST_HELD;
    if (!isHeld) return this.#stream(incoming, outgoing);
    this.#held += length;
    try {
      await this.#forwardHeld(incoming, outgoing);
    } finally {
      this.#held -= length;
    }
  }

  async #stream(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = this.to.holder();
    if (url === undefined) return refuse(outgoing, 'STORE_UNAVAILABLE', NO_HOLDER);
    const headers = headersFor(incoming, '1');
    const failure = await new Attempt(incoming, outgoing, url, headers, undefined, this.#kept).outcome;
    if (failure?.kind === 'refused') this.to.onRefused();
    return fail(outgoing, failure, failure?.kind === 'broken');
  }

  async #forwardHeld(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming);
    if (body === undefined) return void outgoing.destroy();
    const headers = headersFor(incoming, crypto.randomUUID());
    const until = performance.now() + AGAIN_MS;
    let isUnknown = false;
    for (let attempt = 0; ; attempt++) {
      const url = this.to.holder();
      const link = attempt === 0 && url !== undefined && fitsLink(incoming) ? this.#linkTo(url) : undefined;
      let failure: Failure | 'elsewhere' | undefined;
      if (url === undefined) failure = { kind: 'refused' };
      else if (link === undefined) failure = await this.#sentOnce(incoming, outgoing, url, headers, body);
      else failure = await overLink(link, incoming, outgoing, headers, body);
      if (failure === 'elsewhere') continue;
      if (failure === undefined || outgoing.destroyed) return;
      if (failure.kind === 'refused' && url !== undefined) this.to.onRefused();
      isUnknown ||= failure.kind === 'broken' || (failure.kind === 'later' && failure.code === 'COMMIT_UNKNOWN');
      const isOver =
        performance.now() > until || (failure.kind === 'refused' && !isUnknown && !this.to.mayHaveHolder());
      if (isOver) return fail(outgoing, failure, isUnknown);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async #sentOnce(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    url: string,
    headers: Readonly<Record<string, string | string[]>>,
    body: Buffer,
  ): Promise<Failure | undefined> {
    const attempt = new Attempt(incoming, outgoing, url, headers, body, this.#kept);
    this.#underWay.add(attempt);
    try {
      return await attempt.outcome;
    } finally {
      this.#underWay.delete(attempt);
    }
  }

  /** A link that can be used. Where there is none, one is opened for later requests. */
  #linkTo(holder: string): LinkClient | undefined {
    if (this.#link !== undefined && (this.#link.hasEnded || this.#link.holder !== holder)) this.#closeLink();
    if (this.#link?.isReady === true) {
      this.#linkPause = LINK_PAUSE_MS;
      return this.#link;
    }
    const now = performance.now();
    if (this.#link !== undefined || now < this.#linkFrom || this.#isClosed) return undefined;
    this.#linkFrom = now + this.#linkPause;
    this.#linkPause = Math.min(2 * this.#linkPause, LONGEST_LINK_PAUSE_MS);
    void this.#openLink(holder);
    return undefined;
  }

  async #openLink(holder: string): Promise<void> {
    const proof = await this.to.linkProof().catch(() => undefined);
    if (proof === undefined || this.#isClosed || this.#link !== undefined || this.to.holder() !== holder) return;
    this.#link = new LinkClient(holder, this.to.linkPath, proof);
  }

  #closeLink(): void {
    this.#link?.close();
    this.#link = undefined;
  }
}

/** The headers of a forwarded request. */
function headersFor({ headers, socket }: IncomingMessage, key: string): Record<string, string | string[]> {
  const fields = fieldsOf(headers);
  fields[FORWARDED] = key;
  const from = socket.remoteAddress ?? '';
  const before = headers['x-forwarded-for'];
  fields['x-forwarded-for'] = before === undefined ? from : `${String(before)}, ${from}`;
  return fields;
}

/** `elsewhere`: the link does not take this request, or not this answer. */
async function overLink(
  link: LinkClient,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string | string[]>>,
  body: Buffer,
): Promise<Failure | 'elsewhere' | undefined> {
  const { method = 'POST', url = '/', socket } = incoming;
  if (socket.destroyed) return undefined;
  const outcome = await link.request({ method, url, headers }, body, socket);
  if (outcome === 'elsewhere') return outcome;
  if (outcome === 'broken') return { kind: 'broken' };
  if (outgoing.destroyed) return undefined;
  const code = outcome.status === 503 ? codeForAgain(outcome.body) : undefined;
  if (code === undefined) return answer(outgoing, outcome);
  return { kind: 'later', code, status: 503, headers: Object.fromEntries(outcome.headers), body: outcome.body };
}

function answer(outgoing: ServerResponse, { status, headers, body }: LinkedAnswer): undefined {
  const fields = Object.fromEntries(headers);
  if (status !== 204 && status !== 304) fields['content-length'] ??= String(body.length);
  outgoing.writeHead(status, fields);
  outgoing.end(body);
}

/** Answers that the request was not done, or that nobody knows. */
function fail(outgoing: ServerResponse, failure: Failure | undefined, isUnknown: boolean): void {
  if (failure === undefined || outgoing.destroyed) return;
  if (isUnknown) return refuse(outgoing, 'COMMIT_UNKNOWN', UNKNOWN);
  if (failure.kind !== 'later') return refuse(outgoing, 'STORE_UNAVAILABLE', AWAY);
  outgoing.writeHead(failure.status, fieldsOf(failure.headers));
  outgoing.end(failure.body);
}
