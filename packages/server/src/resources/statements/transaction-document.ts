/** Reads transaction documents (`application/x-rdftransaction`), which Sesame 2 clients send. */
import { badRequest, HttpError } from '../../http/index.js';
import type * as RDF from '@rdfjs/types';
import { blankNode, defaultGraph, iri, literal } from 'quadrille';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { Graph } from '../../host/index.js';
import { platform } from '../../host/index.js';

/** An operation of a document. Without graphs, `add` means the default graph and the others mean all graphs. */
export type Operation =
  | {
      readonly type: 'add' | 'remove';
      readonly terms: readonly (RDF.Term | undefined)[];
      readonly graphs: readonly Graph[];
    }
  | { readonly type: 'clear'; readonly graphs: readonly Graph[] }
  | { readonly type: 'setNamespace'; readonly prefix: string; readonly namespace: string }
  | { readonly type: 'removeNamespace'; readonly prefix: string }
  | { readonly type: 'clearNamespaces' }
  | { readonly type: 'update'; readonly text: string; readonly baseIRI: string | undefined };

const TERMS = new Set(['uri', 'bnode', 'literal', 'null']);
const STATEMENTS = new Set(['add', 'remove']);
const MAX_DEPTH = 8;

/** @throws HttpError 400 for what is no such document */
export async function readTransactionDocument(chunks: AsyncIterable<Uint8Array>): Promise<Operation[]> {
  const reader = new TransactionReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) reader.write(decoder.decode(chunk, { stream: true }));
    reader.write(decoder.decode());
    return reader.end();
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw badRequest(`not a transaction document: ${error instanceof Error ? error.message : String(error)}`);
  }
}

class TransactionReader {
  readonly #parser = new SaxesParser();
  readonly #operations: Operation[] = [];
  readonly #path: SaxesTagPlain[] = [];
  #terms: (RDF.Term | undefined)[] = [];
  #graphs: Graph[] = [];
  #update: { text?: string; baseIRI?: string } = {};
  #text = '';

  constructor() {
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('doctype', () => {
      throw badRequest('a transaction document has no document type');
    });
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('text', (text) => (this.#text += text));
    parser.on('cdata', (text) => (this.#text += text));
    parser.on('closetag', () => this.#close());
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): Operation[] {
    this.#parser.close();
    return this.#operations;
  }

  #open(tag: SaxesTagPlain): void {
    if (this.#path.length === 0 && tag.name !== 'transaction') throw badRequest('its root is not <transaction>');
    if (this.#path.length >= MAX_DEPTH) throw badRequest('its elements are nested too deeply');
    this.#path.push(tag);
    this.#text = '';
    if (this.#path.length === 2) {
      this.#terms = [];
      this.#graphs = [];
      this.#update = {};
    }
  }

  #close(): void {
    const tag = this.#path.pop()!;
    const depth = this.#path.length;
    if (depth === 1) this.#operations.push(this.#operation(tag));
    else if (TERMS.has(tag.name)) this.#term(tag);
    else if (tag.name === 'updateString') this.#update.text = this.#text;
    else if (tag.name === 'baseURI') this.#update.baseIRI = this.#text;
    this.#text = '';
  }

  #term(tag: SaxesTagPlain): void {
    const parent = this.#path.at(-1)!.name;
    const term = termOf(tag, this.#text);
    if (parent === 'contexts') {
      if (term?.termType === 'Literal') throw badRequest('a literal cannot be a context');
      this.#graphs.push((term as Graph | undefined) ?? defaultGraph());
    } else if (STATEMENTS.has(parent)) this.#terms.push(term);
    else throw badRequest(`a <${parent}> has no terms here`);
  }

  #operation(tag: SaxesTagPlain): Operation {
    const graphs = this.#graphs;
    const terms = this.#terms;
    switch (tag.name) {
      case 'add':
      case 'remove':
        if (terms.length !== 3) throw badRequest(`<${tag.name}> has ${String(terms.length)} terms, not three`);
        if (tag.name === 'add' && terms.includes(undefined)) throw badRequest('<add> needs every term');
        return { type: tag.name, terms, graphs };
      case 'clear':
        return { type: 'clear', graphs };
      case 'setNamespace':
        return { type: 'setNamespace', prefix: attribute(tag, 'prefix'), namespace: attribute(tag, 'name') };
      case 'removeNamespace':
        return { type: 'removeNamespace', prefix: attribute(tag, 'prefix') };
      case 'clearNamespaces':
        return { type: 'clearNamespaces' };
      case 'sparql':
        if (this.#update.text === undefined) throw badRequest('<sparql> has no <updateString>');
        return { type: 'update', text: this.#update.text, baseIRI: this.#update.baseIRI?.trim() || undefined };
      default:
        throw badRequest(`there is no operation <${tag.name.slice(0, 100)}>`);
    }
  }
}

function termOf(tag: SaxesTagPlain, text: string): RDF.Term | undefined {
  switch (tag.name) {
    case 'null':
      return undefined;
    case 'uri':
      return iri(text.trim());
    case 'bnode':
      return blankNode(text.trim());
    default:
      return literalOf(tag.attributes, text);
  }
}

function literalOf(attributes: Readonly<Record<string, string>>, text: string): RDF.Literal {
  const value =
    attributes['encoding'] === 'base64'
      ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(platform.fromBase64(text))
      : text;
  const language = attributes['xml:lang'];
  const datatype = attributes['datatype'];
  if (language !== undefined) return literal(value, language);
  return datatype === undefined ? literal(value) : literal(value, iri(datatype));
}

function attribute(tag: SaxesTagPlain, name: string): string {
  const value = tag.attributes[name];
  if (value !== undefined) return value;
  throw badRequest(`<${tag.name}> has no attribute ${name}`);
}
