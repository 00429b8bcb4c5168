/**
 * Parses JSON-LD 1.1. Ordinary documents are expanded by fast-json-ld.ts, all others by the library jsonld. This parser checks the
 * document first and makes the statements from the expanded form. An array at the root is read in portions, and so is `@graph`
 * in a document that has nothing else but a context.
 */
import { checkJsonLdOptions, contextFailure, DEFAULT_LIMITS } from '@quadrille/formats';
import type { AsyncParserOptions, AsyncRdfParser, JsonLdOptions } from '@quadrille/formats';
import { FetchError, LONG_IRI, MAX_IRI_BYTES, ParseError, yieldTurn } from '@quadrille/model';
import { isArray, isObject } from '../json/canonical-json.js';
import { DocumentTerms } from '../terms/document-terms.js';
import { JsonDocument } from '../json/json-document.js';
import type { Json, JsonObject, StringLimit } from '../json/json-document.js';
import type { StringPlace } from '../json/json-structure.js';
import { tooLongTerm } from '../terms/sink-term-factory.js';
import { JsonLdQuads } from './json-ld-quads.js';
import { LeftOut } from './left-out.js';
import { expandFast } from './fast-json-ld.js';

/** The used part of the library. */
export interface JsonLdLibrary {
  expand(
    document: unknown,
    options: Expansion & {
      readonly base: string;
      readonly documentLoader: (url: string) => Promise<RemoteDocument>;
      readonly eventHandler?: ((call: LibraryEvent) => void) | undefined;
    },
  ): Promise<readonly Record<string, unknown>[]>;
}

type Expansion = Pick<JsonLdOptions, 'expandContext' | 'processingMode'>;

/** What the library tells of a document, such as a key that it leaves out. */
interface LibraryEvent {
  readonly event: { readonly code: string; readonly details: Readonly<Record<string, unknown>> };
}

interface RemoteDocument {
  readonly contextUrl: undefined;
  readonly documentUrl: string;
  readonly document: unknown;
}

/** Deepest nesting of objects and arrays, unless the limits say otherwise. */
export const MAX_JSON_DEPTH = 64;
const PORTION_BYTES = 256 * 1024;
const PORTION_NODES = 1000;
/** Longest time between two turns of the event loop while statements are made. */
const STEP_MS = 10;
// Names with a meaning in JavaScript objects, which the library does not guard against.
const REFUSED_NAMES = new Set(['__proto__', 'hasOwnProperty']);

/**
 * Creates a parser for JSON-LD. It loads the library only for documents that the fast path does not support.
 * @throws InvalidArgumentError `INVALID_OPTION`
 */
export function createJsonLdParser(
  loadLibrary: () => Promise<JsonLdLibrary>,
  options: AsyncParserOptions,
): AsyncRdfParser {
  checkJsonLdOptions(options.jsonLd, 'JSON-LD');
  return new JsonLdParser(loadLibrary, options);
}

class JsonLdParser implements AsyncRdfParser {
  readonly #loadLibrary: () => Promise<JsonLdLibrary>;
  readonly #options: AsyncParserOptions;
  readonly #document: JsonDocument;
  readonly #terms: DocumentTerms;
  readonly #quads: JsonLdQuads;
  /** Undefined if nobody asks for it. */
  readonly #leftOut: LeftOut | undefined;
  /** Number of elements, of the array at the root or of `@graph`, in the portions before. */
  #elements = 0;
  /** The options that only the library knows. */
  readonly #expansion: Expansion;
  readonly #maxDepth: number;
  readonly #maxBytes: number;
  readonly #maxTermBytes: number;
  /** Fetched contexts by their addresses. */
  readonly #contexts = new Map<string, Promise<Json>>();
  /** The original error of a callback. The library wraps it in its own error. */
  #failure: ParseError | FetchError | undefined;

  constructor(loadLibrary: () => Promise<JsonLdLibrary>, options: AsyncParserOptions) {
    const { limits, sink, source } = options;
    this.#loadLibrary = loadLibrary;
    this.#options = options;
    this.#maxDepth = limits?.maxDepth ?? MAX_JSON_DEPTH;
    this.#maxBytes = limits?.maxDocumentBytes ?? DEFAULT_LIMITS.maxDocumentBytes;
    this.#maxTermBytes = limits?.maxTermBytes ?? DEFAULT_LIMITS.maxTermBytes;
    this.#document = this.#newDocument(source, PORTION_BYTES);
    const fail = (reason: string): ParseError => this.#error(reason);
    this.#terms = new DocumentTerms(sink, this.#maxTermBytes, fail, options.onFault);
    this.#expansion = expansionOf(options.jsonLd);
    this.#checkNames((this.#expansion.expandContext ?? null) as Json);
    this.#leftOut = options.onDropped === undefined ? undefined : new LeftOut();
    this.#quads = new JsonLdQuads(this.#terms, options.jsonLd?.rdfDirection, fail, this.#leftOut);
  }

  async push(chunk: Uint8Array): Promise<void> {
    for (const portion of this.#document.push(chunk)) await this.#read(portion);
  }

  async end(): Promise<void> {
    const root = this.#document.end();
    await yieldTurn();
    for (const portion of portionsOf(root)) await this.#read(portion);
  }

  async #read(portion: Json): Promise<void> {
    this.#options.signal?.throwIfAborted();
    this.#checkNames(portion);
    const fast = Object.keys(this.#expansion).length === 0 ? expandFast(portion) : undefined;
    const expanded = fast ?? (await this.#expand(portion));
    let since = performance.now();
    for (const node of expanded) {
      for (const _ of this.#quads.steps(node as JsonObject, this.#terms.defaultGraph())) {
        if (performance.now() - since <= STEP_MS) continue;
        await this.#pause();
        since = performance.now();
      }
    }
    this.#tellLeftOut(portion);
    await this.#pause();
  }

  #tellLeftOut(portion: Json): void {
    const dropped = this.#leftOut?.take(portion, this.#elements) ?? [];
    if (dropped.length > 0) this.#options.onDropped?.(dropped);
    this.#elements += (isArray(portion) ? portion : nodesOf(portion))?.length ?? 0;
  }

  /** Awaits the receiver of the statements and gives the event loop a turn. */
  async #pause(): Promise<void> {
    await this.#options.onBatch?.();
    await yieldTurn();
    this.#options.signal?.throwIfAborted();
  }

  async #expand(portion: Json): Promise<readonly Record<string, unknown>[]> {
    const { baseIRI } = this.#options;
    const library = await this.#loadLibrary();
    const leftOut = this.#leftOut;
    try {
      return await library.expand(portion, {
        ...this.#expansion,
        base: baseIRI ?? '',
        documentLoader: async (url) => ({
          contextUrl: undefined,
          documentUrl: url,
          document: await this.#context(url),
        }),
        // The library tests its presence.
        ...(leftOut !== undefined && { eventHandler: ({ event }: LibraryEvent) => collect(event, leftOut) }),
      });
    } catch (error) {
      if (this.#failure !== undefined) throw this.#failure;
      throw this.#error(messageOf(error), error);
    }
  }

  async #context(url: string): Promise<Json> {
    let context = this.#contexts.get(url);
    if (context === undefined) this.#contexts.set(url, (context = this.#fetchContext(url)));
    try {
      return await context;
    } catch (error) {
      const isOurs = error instanceof ParseError || error instanceof FetchError;
      this.#failure ??= isOurs ? error : this.#error(messageOf(error), error);
      throw error;
    }
  }

  async #fetchContext(url: string): Promise<Json> {
    const { loadDocument, signal, source } = this.#options;
    if (loadDocument === undefined) throw contextFailure(url, source);
    let text: Uint8Array | string;
    try {
      text = await loadDocument(url, signal);
    } catch (error) {
      throw contextFailure(url, source, error);
    }
    const document = this.#newDocument(url);
    document.push(typeof text === 'string' ? new TextEncoder().encode(text) : text);
    const context = document.end();
    this.#checkNames(context);
    return context;
  }

  #newDocument(source: string | undefined, portionBytes?: number): JsonDocument {
    const limits = {
      source,
      maxDepth: this.#maxDepth,
      maxBytes: this.#maxBytes,
      limitOf: (place: StringPlace) => limitOf(place, this.#maxTermBytes),
    };
    return new JsonDocument(portionBytes === undefined ? limits : { ...limits, portionBytes });
  }

  #checkNames(value: Json): void {
    if (value === null || typeof value !== 'object') return;
    if (isArray(value)) {
      for (const item of value) this.#checkNames(item);
      return;
    }
    for (const name of Object.keys(value)) {
      if (REFUSED_NAMES.has(name)) throw this.#error(`the key ${JSON.stringify(name)} is not allowed`);
      const member = value[name]!;
      if (name === '@context' && isObject(member) && Object.hasOwn(member, '@context')) {
        throw this.#error('a context cannot define @context (keyword redefinition)');
      }
      this.#checkNames(member);
    }
  }

  #error(reason: string, cause?: unknown): ParseError {
    return new ParseError('RDF_SYNTAX', reason, { source: this.#options.source }, { cause });
  }
}

/** What the library leaves out itself. It hands on the texts that are no IRIs, and those that are no language tags. */
function collect({ code, details }: LibraryEvent['event'], leftOut: LeftOut): void {
  if (code === 'invalid property') leftOut.add(String(details['property']), 'has no IRI in the context', true);
  else if (code === 'reserved @id value') leftOut.add(String(details['id']), 'is a reserved word');
  else if (code === 'free-floating scalar') leftOut.add(String(details['value']), 'is the value of no property');
}

/** Keywords whose values are IRIs. */
const IRI_KEYWORDS: readonly string[] = ['@id', '@type', '@vocab', '@base'];
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** The limit of a string that is an IRI or a label under every context. Other strings are checked after their expansion. */
function limitOf({ isKey, keys, start }: StringPlace, maxTermBytes: number): StringLimit | undefined {
  if (keys.includes('@value')) return undefined;
  const key = keys.findLast((one) => one !== '') ?? '';
  if (isKey ? !SCHEME.test(start) : !IRI_KEYWORDS.includes(key) && !keys.includes('@context')) return undefined;
  if (start.startsWith('_:')) return { maxBytes: maxTermBytes, reason: tooLongTerm(maxTermBytes) };
  return { maxBytes: MAX_IRI_BYTES, reason: LONG_IRI };
}

// The library tests the presence of members, so undefined ones are left out. Its default is JSON-LD 1.1.
function expansionOf({ expandContext, processingMode }: JsonLdOptions = {}): Expansion {
  return {
    ...(expandContext !== undefined && { expandContext }),
    ...(processingMode === 'json-ld-1.0' && { processingMode }),
  };
}

/** Splits `@graph` into several documents with the same context. The result is the same, because its nodes are independent. */
function* portionsOf(root: Json): Iterable<Json> {
  const nodes = nodesOf(root);
  if (nodes === undefined || nodes.length <= PORTION_NODES) {
    yield root;
    return;
  }
  for (let at = 0; at < nodes.length; at += PORTION_NODES) {
    yield { ...(root as JsonObject), '@graph': nodes.slice(at, at + PORTION_NODES) };
  }
}

function nodesOf(root: Json): readonly Json[] | undefined {
  if (!isObject(root)) return undefined;
  const nodes = root['@graph'];
  const others = Object.keys(root).filter((key) => key !== '@context' && key !== '@graph');
  return isArray(nodes) && others.length === 0 ? nodes : undefined;
}

// Errors of the library have a code of the specification, which is more precise than their text.
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { details } = error as { details?: { code?: unknown } };
  const code = typeof details?.code === 'string' ? ` (${details.code})` : '';
  return error.message.replace(/^Invalid JSON-LD syntax; /, '') + code;
}
