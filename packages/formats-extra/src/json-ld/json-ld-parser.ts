/**
 * JSON-LD 1.1. What is plain is expanded here, the rest by the library jsonld; we check it before and make the statements
 * behind. An array at the root is read in portions, and so are the nodes of a document that only has them and a context.
 */
import { DEFAULT_LIMITS } from '@quadrille/formats';
import type { AsyncParserOptions, AsyncRdfParser } from '@quadrille/formats';
import { ParseError, yieldTurn } from '@quadrille/model';
import { isArray, isObject } from '../json/canonical-json.js';
import { DocumentTerms } from '../terms/document-terms.js';
import { JsonDocument } from '../json/json-document.js';
import type { Json, JsonObject } from '../json/json-document.js';
import { JsonLdQuads } from './json-ld-quads.js';
import { expandPlain } from './plain-json-ld.js';

/** What we use of the library. */
export interface JsonLdLibrary {
  expand(
    document: unknown,
    options: { readonly base: string; readonly documentLoader: (url: string) => Promise<RemoteDocument> },
  ): Promise<readonly Record<string, unknown>[]>;
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
// Names that objects of JavaScript have a meaning for, which the library would run into.
const REFUSED_NAMES = new Set(['__proto__', 'hasOwnProperty']);

/** A parser for JSON-LD. It loads the library when the document has something that is not plain. */
export function createJsonLdParser(
  loadLibrary: () => Promise<JsonLdLibrary>,
  options: AsyncParserOptions,
): AsyncRdfParser {
  return new JsonLdParser(loadLibrary, options);
}

class JsonLdParser implements AsyncRdfParser {
  readonly #loadLibrary: () => Promise<JsonLdLibrary>;
  readonly #options: AsyncParserOptions;
  readonly #document: JsonDocument;
  readonly #terms: DocumentTerms;
  readonly #quads: JsonLdQuads;
  readonly #maxDepth: number;
  readonly #maxBytes: number;
  /** Contexts that were fetched, by address. */
  readonly #contexts = new Map<string, Promise<Json>>();
  /** What went wrong outside of the library, which wraps it. */
  #failure: ParseError | undefined;

  constructor(loadLibrary: () => Promise<JsonLdLibrary>, options: AsyncParserOptions) {
    const { limits, sink, source } = options;
    this.#loadLibrary = loadLibrary;
    this.#options = options;
    this.#maxDepth = limits?.maxDepth ?? MAX_JSON_DEPTH;
    this.#maxBytes = limits?.maxDocumentBytes ?? DEFAULT_LIMITS.maxDocumentBytes;
    this.#document = this.#newDocument(source, PORTION_BYTES);
    const fail = (reason: string): ParseError => this.#error(reason);
    this.#terms = new DocumentTerms(sink, limits?.maxTermBytes ?? DEFAULT_LIMITS.maxTermBytes, fail);
    this.#quads = new JsonLdQuads(this.#terms, fail);
  }

  async push(chunk: Uint8Array): Promise<void> {
    for (const portion of this.#document.push(chunk)) await this.#read(portion);
  }

  async end(): Promise<void> {
    const root = this.#document.end();
    for (const portion of portionsOf(root)) await this.#read(portion);
  }

  async #read(portion: Json): Promise<void> {
    this.#options.signal?.throwIfAborted();
    this.#checkNames(portion);
    const expanded = expandPlain(portion) ?? (await this.#expand(portion));
    for (const node of expanded) this.#quads.node(node as JsonObject, this.#terms.defaultGraph());
    await this.#options.onBatch?.();
    await yieldTurn();
  }

  async #expand(portion: Json): Promise<readonly Record<string, unknown>[]> {
    const { baseIRI } = this.#options;
    const library = await this.#loadLibrary();
    try {
      return await library.expand(portion, {
        base: baseIRI ?? '',
        documentLoader: async (url) => ({
          contextUrl: undefined,
          documentUrl: url,
          document: await this.#context(url),
        }),
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
      this.#failure ??= error instanceof ParseError ? error : this.#error(messageOf(error), error);
      throw error;
    }
  }

  async #fetchContext(url: string): Promise<Json> {
    const { loadDocument, signal } = this.#options;
    const shown = url.slice(0, 120);
    if (loadDocument === undefined) {
      throw this.#error(`the context <${shown}> stands elsewhere, and fetching it is not allowed`);
    }
    let text: Uint8Array | string;
    try {
      text = await loadDocument(url, signal);
    } catch (error) {
      throw this.#error(`the context <${shown}> could not be fetched: ${messageOf(error)}`, error);
    }
    const document = this.#newDocument(url);
    document.push(typeof text === 'string' ? new TextEncoder().encode(text) : text);
    const context = document.end();
    this.#checkNames(context);
    return context;
  }

  #newDocument(source: string | undefined, portionBytes?: number): JsonDocument {
    const limits = { source, maxDepth: this.#maxDepth, maxBytes: this.#maxBytes };
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

/** The document in parts that mean the same: nodes beside each other under one context know nothing of each other. */
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

// The library gives its errors a code word of the specification, which says more than its text.
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { details } = error as { details?: { code?: unknown } };
  const code = typeof details?.code === 'string' ? ` (${details.code})` : '';
  return error.message.replace(/^Invalid JSON-LD syntax; /, '') + code;
}
