/** A session of the Model Context Protocol: messages of JSON-RPC 2.0 in, answers and notifications out. */
import { randomUUID } from 'node:crypto';
import { InvalidArgumentError, Mutex, NotFoundError, QuadrilleError } from '@quadrille/model';
import type { QueryOptions, Repository } from 'quadrille';
import { DEFAULT_TIMEOUT_MS } from './data-tools.js';
import type { Documents } from './docs-tool.js';
import type { Door, Work } from './door.js';
import { isForwarded } from './forward/run-forwarded.js';
import { checkInput } from './input.js';
import { clientOf, introduction } from './introduction.js';
import { type ImportedMemory, importMemory } from './memory/import.js';
import { MemoryWriter, note } from './memory/write.js';
import { type Commit, madeBy } from './origin.js';
import { Cursors, cut, DEFAULT_BYTES } from './page.js';
import { PROMPTS, promptOf } from './prompts.js';
import { MEMORY_ADDRESS, MEMORY_RESOURCE, readResource, repositoryOf, TEMPLATE } from './resources.js';
import { Subscriptions } from './subscriptions.js';
import { ToolError } from './tool-error.js';
import { described, type Tool, type ToolContext, type Toolset } from './tool.js';
import type { ToldError, ToolResult } from './tool-result.js';
import { allTools, workOf } from './tools.js';

/** Longest text of an error. Some of them have texts of the caller. */
const ERROR_BYTES = 512;

/** Longest message. */
export const MESSAGE_BYTES = 10 * 1024 ** 2;

export const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
export const PARSE_ERROR = -32_700;

/** What a session serves. */
export interface SessionOptions {
  readonly version: string;
  readonly tools: ReadonlySet<Toolset>;
  /** Whether texts that look like secrets are kept. Default false. */
  readonly allowSecrets?: boolean;
  /** What `docs_search` finds, with the toolset `data`. Default: there is no such tool. */
  readonly documents?: Documents | undefined;
  /** A client that has introduced itself already. */
  readonly client?: string;
  /** Sends a notification, and resolves when it was taken. Without it, somebody takes the {@link Session.updates}. */
  readonly notify?: (message: object) => Promise<void>;
}

type Id = string | number;
type Params = Readonly<Record<string, unknown>>;

/** A number that is too large would be told as null. */
const isIdOf = (id: unknown): id is Id => typeof id === 'string' || Number.isFinite(id);

/** A request as it was asked. */
interface Asked {
  readonly method: string;
  readonly params: Params;
  readonly door: Door;
  readonly left: AbortSignal | undefined;
}

class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export class Session {
  readonly id = randomUUID();
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #running = new Map<Id, AbortController>();
  readonly #subscriptions = new Subscriptions((uri, door) => this.#repositoryOf(uri, door));
  readonly #context: ToolContext;
  /** One change follows the other: what a session has made, it can tell from what was there before. */
  readonly #changes = new Mutex();
  readonly #ended = new AbortController();
  /** Of the cursors. */
  readonly #secret = randomUUID();
  #client: string;

  constructor(private readonly options: SessionOptions) {
    const { tools, documents, allowSecrets = false, client = 'quadrille mcp' } = options;
    this.#client = client;
    this.#tools = new Map(
      allTools(documents)
        .filter(({ toolset }) => tools.has(toolset))
        .map((tool) => [tool.name, tool]),
    );
    this.#context = { allowSecrets, made: [], cursors: new Cursors(this.#secret), writer: new MemoryWriter() };
  }

  #commit({ author }: Door): Commit {
    return madeBy({ client: this.#client, id: this.id }, author);
  }

  get isClosed(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Ends what runs. */
  close(): void {
    this.#ended.abort();
    for (const controller of this.#running.values()) controller.abort();
  }

  /** Imports a file of `@modelcontextprotocol/server-memory` into the memory. */
  async import(file: string, door: Door): Promise<ImportedMemory> {
    const call = { context: this.#context, signal: this.#ended.signal, commit: this.#commit(door) };
    return importMemory(await door.memory('write'), call, file);
  }

  /** Handles a message as text. The answer, or `undefined` where there is none. Never rejects. */
  async handleText(text: string, door: Door): Promise<object | undefined> {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      return failure(null, PARSE_ERROR, `this is no JSON: ${error instanceof Error ? error.message : String(error)}`);
    }
    return this.handle(message, door);
  }

  /**
   * Handles a message. Never rejects.
   * @param left aborted when its sender waits no more
   */
  async handle(message: unknown, door: Door, left?: AbortSignal): Promise<object | undefined> {
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      return failure(null, INVALID_REQUEST, 'a message is one object; this version of the protocol has no batches');
    const { jsonrpc, id, method, params = {} } = message as Record<string, unknown>;
    const isAnswer = method === undefined && ('result' in message || 'error' in message);
    if (isAnswer) return undefined;
    const isId = isIdOf(id);
    const isParams = typeof params === 'object' && params !== null && !Array.isArray(params);
    if (jsonrpc !== '2.0' || typeof method !== 'string' || !isParams || (id !== undefined && !isId))
      return failure(
        isId ? id : null,
        INVALID_REQUEST,
        'a message has jsonrpc "2.0", a method, and params that are an object',
      );
    if (id === undefined) {
      this.#notified(method, params as Params);
      return undefined;
    }
    return this.#answer(id, { method, params: params as Params, door, left });
  }

  #notified(method: string, params: Params): void {
    if (method === 'notifications/cancelled') this.#running.get(params['requestId'] as Id)?.abort();
  }

  async #answer(id: Id, { method, params, door, left }: Asked): Promise<object | undefined> {
    if (this.#running.has(id)) return failure(id, INVALID_REQUEST, 'a request with this id is under way');
    const controller = new AbortController();
    this.#running.set(id, controller);
    const leave = (): void => controller.abort();
    if (left?.aborted === true) leave();
    left?.addEventListener('abort', leave, { once: true });
    try {
      const result = await this.#run(method, params, door, controller.signal);
      return controller.signal.aborted ? undefined : { jsonrpc: '2.0', id, result };
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      if (error instanceof RpcError) return failure(id, error.code, error.message);
      const isWrong = error instanceof InvalidArgumentError || error instanceof NotFoundError;
      return failure(id, isWrong ? INVALID_PARAMS : INTERNAL_ERROR, door.told(error).message);
    } finally {
      this.#running.delete(id);
      left?.removeEventListener('abort', leave);
    }
  }

  async #run(method: string, params: Params, door: Door, signal: AbortSignal): Promise<object> {
    switch (method) {
      case 'initialize':
        return this.#initialize(params);
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: [...this.#tools.values()].map(described) };
      case 'tools/call':
        return this.#callTool(params, door, signal);
      case 'resources/list':
        return { resources: this.options.tools.has('memory') ? [MEMORY_RESOURCE] : [] };
      case 'resources/templates/list':
        return { resourceTemplates: [TEMPLATE] };
      case 'resources/read':
        return this.#readResource(textOf(params, 'uri'), door, signal);
      case 'resources/subscribe':
        return this.#subscribe(textOf(params, 'uri'), door);
      case 'resources/unsubscribe':
        this.#subscriptions.remove(textOf(params, 'uri'));
        return {};
      case 'prompts/list':
        return { prompts: PROMPTS.map(promptOf) };
      case 'prompts/get':
        return this.#prompt(params);
      default:
        throw new RpcError(METHOD_NOT_FOUND, `there is no method ${method.slice(0, 100)}`);
    }
  }

  #initialize(params: Params): object {
    this.#client = clientOf(params) ?? this.#client;
    return introduction(params, this.options.version);
  }

  async #callTool({ name, arguments: input }: Params, door: Door, signal: AbortSignal): Promise<object> {
    const tool = typeof name === 'string' ? this.#tools.get(name) : undefined;
    if (tool === undefined)
      throw new RpcError(
        INVALID_PARAMS,
        `there is no tool ${String(name).slice(0, 100)}; there are ${[...this.#tools.keys()].join(', ')}`,
      );
    try {
      const checked = checkInput(tool.name, tool.input, input);
      const work = workOf(tool, checked);
      const { access } = work;
      const call = { context: this.#context, door, access, commit: this.#commit(door) };
      const answer = async (limits: QueryOptions, ended: AbortSignal): Promise<object> => {
        const result = await tool.run(checked as never, { ...call, limits, signal: ended });
        return answerOf(result, (checked as { maxBytes?: number }).maxBytes);
      };
      if (tool.needsStore === false) return await answer({}, signal);
      const run = async (): Promise<object> =>
        (await this.#forwarded(tool, checked, door, signal)) ?? (await door.run(work, signal, answer));
      return await (access === 'read' ? run() : this.#changes.run(run));
    } catch (error) {
      // What a model can act on is a result; it sees no other errors.
      if (!(error instanceof QuadrilleError)) throw error;
      return refusal(door.told(error));
    }
  }

  /** The answer of the process that holds the store; `undefined` where it is this one, or the tool needs several calls. */
  async #forwarded(tool: Tool, input: object, door: Door, signal: AbortSignal): Promise<object | undefined> {
    if (!isForwarded(tool)) return undefined;
    const { allowSecrets } = this.#context;
    const session = { id: this.id, client: this.#client, secret: this.#secret, allowSecrets };
    const answer = await door.forward?.({ tool: tool.name, input, session }, tool.effect !== 'reads', signal);
    if (answer === undefined) return undefined;
    if ('error' in answer) return refusal(answer.error);
    for (const { repository, id } of answer.made) note(this.#context, repository, { id });
    return answerOf(answer.result, (input as { maxBytes?: number }).maxBytes);
  }

  #isMemory(uri: string): boolean {
    return uri === MEMORY_ADDRESS && this.options.tools.has('memory');
  }

  async #readResource(uri: string, door: Door, signal: AbortSignal): Promise<object> {
    const ofMemory = this.#isMemory(uri);
    const source = ofMemory ? {} : { repository: repositoryOf(uri) };
    const work: Work = { ...source, ofMemory, text: uri, access: 'read', timeoutMs: DEFAULT_TIMEOUT_MS };
    const content = await door.run(work, signal, (_, ended) => readResource(uri, { door, signal: ended }, ofMemory));
    return { contents: [{ uri, ...content }] };
  }

  #repositoryOf(uri: string, door: Door): Promise<Repository> {
    if (this.#isMemory(uri)) return door.memory('read');
    return door.repository({ repository: repositoryOf(uri) }, 'read');
  }

  async #subscribe(uri: string, door: Door): Promise<object> {
    if (this.options.notify !== undefined && !this.#subscriptions.isHeard) void this.#tell(this.options.notify, door);
    await this.#subscriptions.add(uri, door);
    return {};
  }

  async #tell(notify: (message: object) => Promise<void>, door: Door): Promise<void> {
    for await (const message of this.updates(door, this.#ended.signal)) await notify(message);
  }

  /** What a client is told of its subscriptions, as it takes it, until the signal. Whoever asks later gets it. */
  async *updates(door: Door, signal: AbortSignal): AsyncGenerator<object> {
    const ended = AbortSignal.any([signal, this.#ended.signal]);
    for await (const uri of this.#subscriptions.updates(door, ended))
      yield { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } };
  }

  #prompt({ name, arguments: given }: Params): object {
    const prompt = PROMPTS.find((each) => each.name === name);
    if (prompt === undefined) throw new RpcError(INVALID_PARAMS, `there is no prompt ${String(name).slice(0, 100)}`);
    const values = (given ?? {}) as Readonly<Record<string, string>>;
    for (const { name: argument, required } of prompt.arguments)
      if (required && typeof values[argument] !== 'string')
        throw new RpcError(INVALID_PARAMS, `the prompt ${prompt.name} needs the argument ${argument}`);
    const content = { type: 'text', text: prompt.text(values) };
    return { description: prompt.description, messages: [{ role: 'user', content }] };
  }
}

/** What a model can act on. */
const refusal = ({ code, message }: ToldError): object => ({
  content: [{ type: 'text', text: cut(`${code}: ${message}`, ERROR_BYTES) }],
  isError: true,
});

/** The answer of a tool. @throws ToolError where it is larger than its budget */
function answerOf({ structured, text = JSON.stringify(structured) }: ToolResult, maxBytes = DEFAULT_BYTES): object {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes)
    throw new ToolError(
      `the answer has ${String(bytes)} bytes: ask for less, or with a maxBytes above ${String(maxBytes)}`,
    );
  return { content: [{ type: 'text', text }], structuredContent: structured };
}

function textOf(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string' || value === '') throw new RpcError(INVALID_PARAMS, `${name} must be text`);
  return value;
}

export const failure = (id: Id | null, code: number, message: string): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
