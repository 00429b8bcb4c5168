/** A client of standard input and output at a server over HTTP: each line is sent there, and each answer is a line. */
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LineWriter } from '../lines.js';
import { answerLines, type LineAnswers } from '../lines.js';
import { VERSIONS } from '../introduction.js';
import { failure } from '../session.js';
import { eventMessages } from './event-messages.js';

/** Where a bridge leads. */
export interface BridgeOptions {
  /** The address of the server, or of its `/mcp`. */
  readonly url: string;
  readonly token?: string;
  readonly fetch?: typeof fetch;
}

/** Until a stream that was cut off is asked for again. */
const AGAIN_MS = 1000;
const INTERNAL_ERROR = -32_603;
const SESSION = 'Mcp-Session-Id';

type Message = { readonly id?: string | number; readonly method?: unknown; readonly params?: unknown };

/** Serves lines by a server until the input ends or the signal comes. */
export async function bridgeLines(
  options: BridgeOptions,
  input: Readable,
  writer: LineWriter,
  signal: AbortSignal,
): Promise<void> {
  const bridge = new Bridge(options, writer, signal);
  try {
    await answerLines(bridge, input, writer, signal);
  } finally {
    await bridge.close();
  }
}

class Bridge implements LineAnswers {
  readonly #address: URL;
  readonly #fetch: typeof fetch;
  #session: string | undefined;
  #version: string | undefined;
  /** What began the session: a server that has lost it gets it again. */
  #began: Message | undefined;
  #beginning: Promise<void> = Promise.resolve();
  #renewing: Promise<void> | undefined;
  /** Addresses that the client has subscribed to. */
  readonly #subscribed = new Set<string>();
  #isListening = false;
  readonly #ended = new AbortController();

  constructor(
    private readonly options: BridgeOptions,
    private readonly writer: LineWriter,
    private readonly signal: AbortSignal,
  ) {
    this.#address = addressOf(options.url);
    this.#fetch = options.fetch ?? fetch;
  }

  async handleText(text: string): Promise<object | undefined> {
    const message = parsed(text);
    const isBeginning = message?.method === 'initialize';
    // What comes behind it needs its session.
    if (!isBeginning) await this.#beginning;
    const answer = this.#answer(text, message);
    if (isBeginning) this.#beginning = answer.then(() => undefined);
    return answer;
  }

  async #answer(text: string, message: Message | undefined): Promise<object | undefined> {
    try {
      let reply = await this.#send(text);
      if (reply.status === 404 && this.#began !== undefined && message?.method !== 'initialize') {
        await this.#renew();
        reply = await this.#send(text);
      }
      const answer = await documentOf(reply);
      if (message?.method === 'initialize' && reply.ok) this.#begin(message, reply, answer);
      if (message !== undefined && reply.ok && isAnswer(answer) && 'result' in answer) this.#note(message);
      if (isAnswer(answer)) return answer;
      if (reply.ok || message?.id === undefined) return undefined;
      return failure(message.id, INTERNAL_ERROR, refusal(reply.status, answer));
    } catch (error) {
      if (message?.id === undefined) return undefined;
      return failure(message.id, INTERNAL_ERROR, `the server cannot be reached: ${reasonOf(error)}`);
    }
  }

  #begin(message: Message, { headers }: Response, answer: unknown): void {
    this.#session = headers.get(SESSION) ?? undefined;
    this.#began = message;
    const { result } = (answer ?? {}) as { result?: { protocolVersion?: unknown } };
    this.#version = VERSIONS.find((version) => version === result?.protocolVersion);
  }

  /** One after the other: who finds the session lost at the same time gets the same new one. */
  #renew(): Promise<void> {
    return (this.#renewing ??= this.#beginAgain().finally(() => (this.#renewing = undefined)));
  }

  async #beginAgain(): Promise<void> {
    const message = this.#began!;
    this.#session = undefined;
    const reply = await this.#send(JSON.stringify(message));
    if (!reply.ok) return;
    this.#begin(message, reply, await documentOf(reply));
    for (const uri of this.#subscribed) {
      await this.#send(JSON.stringify({ jsonrpc: '2.0', id: 'again', method: 'resources/subscribe', params: { uri } }));
      // Nobody knows what has changed meanwhile.
      await this.writer.write({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
    }
  }

  #note({ method, params }: Message): void {
    const { uri } = (params ?? {}) as { uri?: unknown };
    if (typeof uri !== 'string') return;
    if (method === 'resources/unsubscribe') this.#subscribed.delete(uri);
    if (method !== 'resources/subscribe') return;
    this.#subscribed.add(uri);
    if (!this.#isListening) void this.#listen();
    this.#isListening = true;
  }

  /** Gives on what the server tells of subscriptions, until the end. */
  async #listen(): Promise<void> {
    const signal = AbortSignal.any([this.signal, this.#ended.signal]);
    while (!signal.aborted) {
      try {
        const reply = await this.#send('', 'GET', signal);
        if (reply.status === 404) await this.#renew();
        else if (reply.ok && reply.body !== null)
          for await (const message of eventMessages(reply.body)) await this.writer.write(message);
      } catch {
        // The server is away, or the stream was cut off: it is asked again.
      }
      await sleep(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  #send(body: string, method = 'POST', signal: AbortSignal = this.signal): Promise<Response> {
    const { token } = this.options;
    return this.#fetch(this.#address, {
      method,
      redirect: 'error',
      signal,
      headers: {
        'Content-Type': 'application/json',
        Accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(this.#session !== undefined && { [SESSION]: this.#session }),
        ...(this.#version !== undefined && { 'MCP-Protocol-Version': this.#version }),
      },
      ...(method === 'POST' && { body }),
    });
  }

  /** Ends the session, if the server still answers. */
  async close(): Promise<void> {
    this.#ended.abort();
    if (this.#session === undefined) return;
    await this.#send('', 'DELETE', AbortSignal.timeout(1000)).catch(() => undefined);
  }
}

function addressOf(text: string): URL {
  const url = new URL(text);
  if (!url.pathname.endsWith('/mcp')) url.pathname = `${url.pathname.replace(/\/+$/, '')}/mcp`;
  return url;
}

function parsed(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

async function documentOf(reply: Response): Promise<unknown> {
  const text = await reply.text();
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

const isAnswer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'jsonrpc' in value && ('result' in value || 'error' in value);

/** What a server that refuses has said, as its documents of errors have it. */
function refusal(status: number, document: unknown): string {
  const { error, code } = (document ?? {}) as { error?: unknown; code?: unknown };
  return typeof error === 'string' ? `${String(code)}: ${error}` : `the server answered ${String(status)}`;
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const first = cause instanceof Error ? cause : error;
  return first instanceof Error ? first.message : String(first);
}
