/**
 * Reads SPARQL results in XML (SPARQL 1.1 and 1.2). Loaded on demand, because of the XML parser below. A document type
 * is refused, so that no entity can be declared.
 */
import type * as RDF from '@rdfjs/types';
import { SaxesParser } from 'saxes';
import type { SaxesTagNS } from 'saxes';
import { ParseError } from '@quadrille/model';
import {
  checkVariables,
  emptyRow,
  MAX_TRIPLE_DEPTH,
  ResultFault,
  resultError,
  ResultTerms,
  show,
} from './result-terms.js';
import type { MutableRow, ParsedResults } from './result-terms.js';

const SPARQL_RESULTS = 'http://www.w3.org/2005/sparql-results#';
const XML = 'http://www.w3.org/XML/1998/namespace';
const ITS = 'http://www.w3.org/2005/11/its';
const TERMS = ['uri', 'bnode', 'literal', 'triple'];
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  '': ['sparql'],
  sparql: ['head', 'results', 'boolean'],
  head: ['variable', 'link'],
  results: ['result'],
  result: ['binding'],
  binding: TERMS,
  triple: ['subject', 'predicate', 'object'],
  subject: TERMS,
  predicate: TERMS,
  object: TERMS,
};
const WITH_TEXT = new Set(['uri', 'bnode', 'literal', 'boolean']);

interface Frame {
  readonly name: string;
  readonly tag: SaxesTagNS;
  text: string;
  /** Terms of the elements within, by the name of the element; a binding and a part of a triple have one. */
  readonly terms: Map<string, RDF.Term>;
}

/** @throws ParseError `RDF_SYNTAX`, with line and column */
export function parseXmlResults(text: string): ParsedResults {
  return new XmlResultReader().read(text);
}

class XmlResultReader {
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #terms = new ResultTerms();
  readonly #stack: Frame[] = [];
  readonly #seen = new Set<string>();
  readonly #names: string[] = [];
  readonly #rows: MutableRow[] = [];
  #variables: ReadonlySet<string> = new Set();
  #row: MutableRow = emptyRow();
  #boolean: boolean | undefined;
  #depth = 0;

  read(text: string): ParsedResults {
    const parser = this.#parser;
    parser.on('error', (error) => this.#fail(`not XML: ${error.message.replace(/^\d+:\d+: /, '')}`));
    parser.on('doctype', () => this.#fail('a document type is not allowed'));
    parser.on('opentag', (tag) => this.#guard(() => this.#open(tag)));
    parser.on('closetag', () => this.#guard(() => this.#close()));
    parser.on('text', (chars) => this.#text(chars));
    parser.on('cdata', (chars) => this.#text(chars));
    parser.write(text).close();
    if (this.#boolean !== undefined) return { type: 'boolean', value: this.#boolean };
    return { type: 'bindings', variables: this.#names, rows: this.#rows };
  }

  #fail(reason: string, cause?: unknown): never {
    throw resultError(reason, { line: this.#parser.line, column: this.#parser.column + 1 }, cause);
  }

  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof ParseError) throw error;
      if (error instanceof ResultFault) {
        if (this.#seen.has('results')) error.place = `row ${String(this.#rows.length + 1)}`;
        this.#fail(error.message, error);
      }
      throw error;
    }
  }

  #open(tag: SaxesTagNS): void {
    const parent = this.#stack.at(-1);
    const name = tag.local;
    if (tag.uri !== SPARQL_RESULTS || !(CHILDREN[parent?.name ?? '']?.includes(name) ?? false)) {
      throw new ResultFault(`unexpected element ${show(tag.name)} ${parent ? `in ${parent.name}` : 'as the root'}`);
    }
    if (parent?.name === 'sparql') this.#openSection(name);
    else if (name === 'variable') this.#names.push(attribute(tag, '', 'name') ?? '');
    else if (name === 'result') this.#row = emptyRow();
    else if (name === 'triple' && ++this.#depth > MAX_TRIPLE_DEPTH) {
      throw new ResultFault(`triple terms are nested deeper than ${MAX_TRIPLE_DEPTH}`);
    }
    this.#stack.push({ name, tag, text: '', terms: new Map() });
  }

  #openSection(name: string): void {
    if (this.#seen.has(name) || (name !== 'head' && this.#seen.has(name === 'results' ? 'boolean' : 'results'))) {
      throw new ResultFault(`a second answer: ${name}`);
    }
    if (name !== 'head' && !this.#seen.has('head')) throw new ResultFault(`${name} stands before head`);
    this.#seen.add(name);
  }

  #text(chars: string): void {
    const frame = this.#stack.at(-1);
    if (frame !== undefined && WITH_TEXT.has(frame.name)) frame.text += chars;
    else if (/[^ \t\r\n]/.test(chars)) this.#fail(`text stands in ${frame?.name ?? 'no element'}`);
  }

  #close(): void {
    const frame = this.#stack.pop();
    if (frame === undefined) return;
    if (TERMS.includes(frame.name)) this.#give(this.#stack.at(-1), 'term', this.#termOf(frame));
    else if (frame.name === 'binding') this.#bind(frame);
    else if (frame.name === 'result') this.#rows.push(this.#row);
    else if (frame.name === 'head') this.#variables = new Set(checkVariables(this.#names));
    else if (frame.name === 'boolean') this.#boolean = booleanOf(frame.text.trim());
    else if (CHILDREN['triple']!.includes(frame.name)) {
      this.#give(this.#stack.at(-1), frame.name, onlyTerm(frame));
    } else if (frame.name === 'sparql' && !this.#seen.has('results') && !this.#seen.has('boolean')) {
      throw new ResultFault('neither results nor boolean is there');
    }
  }

  #give(parent: Frame | undefined, key: string, term: RDF.Term): void {
    if (parent?.terms.has(key) === true) throw new ResultFault(`a second ${key} in ${parent.name}`);
    parent?.terms.set(key, term);
  }

  #bind(frame: Frame): void {
    const name = attribute(frame.tag, '', 'name') ?? '';
    if (!this.#variables.has(name)) throw new ResultFault(`the variable ${show(name)} is not in head`);
    if (Object.hasOwn(this.#row, name)) throw new ResultFault(`the variable ${show(name)} is bound twice`);
    this.#row[name] = onlyTerm(frame);
  }

  #termOf({ name, text, tag, terms }: Frame): RDF.Term {
    switch (name) {
      case 'uri':
        return this.#terms.iri(text.trim());
      case 'bnode':
        return this.#terms.blankNode(text.trim());
      case 'triple': {
        this.#depth--;
        const [subject, predicate, object] = ['subject', 'predicate', 'object'].map((part) => terms.get(part));
        if (!subject || !predicate || !object) throw new ResultFault('a triple lacks a part');
        return this.#terms.tripleTerm(subject, predicate, object);
      }
      default:
        return this.#terms.literal(text, literalParts(tag));
    }
  }
}

function literalParts(tag: SaxesTagNS): { datatype?: string; language?: string; direction?: string } {
  const datatype = attribute(tag, '', 'datatype');
  const language = attribute(tag, XML, 'lang');
  const direction = attribute(tag, ITS, 'dir');
  return {
    ...(datatype === undefined ? {} : { datatype }),
    ...(language === undefined ? {} : { language }),
    ...(direction === undefined ? {} : { direction }),
  };
}

function onlyTerm(frame: Frame): RDF.Term {
  const term = frame.terms.get('term');
  if (term === undefined) throw new ResultFault(`${frame.name} holds no term`);
  return term;
}

function booleanOf(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new ResultFault(`${show(text)} is neither true nor false`);
  return text === 'true';
}

function attribute(tag: SaxesTagNS, uri: string, local: string): string | undefined {
  return Object.values(tag.attributes).find((candidate) => candidate.uri === uri && candidate.local === local)?.value;
}
