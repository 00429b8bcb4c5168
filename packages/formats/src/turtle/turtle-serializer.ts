/**
 * Writes Turtle and TriG. Consecutive statements of one subject are one block, numbers and booleans are written bare, and IRIs
 * are shortened with the given prefixes. Quads are written in the given order: sort them by graph and subject first.
 *
 * The writer of n3 is not used: if a prefix `ex` is declared, it writes the IRI `ex:a` as a prefixed name.
 */
import { termToNTriples, XSD } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { RdfSerializer, SerializerOptions } from '../registry.js';
import { PrefixedNames } from './turtle-names.js';

const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
// Lexical forms that Turtle reads back with the same datatype.
const BARE: ReadonlyMap<string, RegExp> = new Map([
  [`${XSD}boolean`, /^(?:true|false)$/],
  [`${XSD}integer`, /^[+-]?[0-9]+$/],
  [`${XSD}decimal`, /^[+-]?[0-9]*\.[0-9]+$/],
  [`${XSD}double`, /^[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)[eE][+-]?[0-9]+$/],
]);

export interface TurtleSerializerOptions extends SerializerOptions {
  /** Whether to write graphs (TriG). Turtle omits their names. */
  readonly trig: boolean;
}

/** A serialiser for Turtle, or with `trig` for TriG. */
export function createTurtleSerializer(options: TurtleSerializerOptions): RdfSerializer {
  return new TurtleSerializer(options);
}

class TurtleSerializer implements RdfSerializer {
  readonly #names: PrefixedNames;
  readonly #trig: boolean;
  #headWritten = false;
  /** Texts of the open graph (empty for the default graph), subject and predicate. */
  #graph = '';
  #subject = '';
  #predicate = '';

  constructor({ trig, prefixes = {} }: TurtleSerializerOptions) {
    this.#names = new PrefixedNames(prefixes);
    this.#trig = trig;
  }

  write(quads: readonly RDF.Quad[]): string {
    let text = this.#head();
    for (const quad of quads) text += this.#statement(quad);
    return text;
  }

  end(): string {
    return this.#head() + this.#closeGraph();
  }

  #head(): string {
    if (this.#headWritten) return '';
    this.#headWritten = true;
    return this.#names.head;
  }

  #statement(quad: RDF.Quad): string {
    const opening = this.#trig ? this.#openGraph(quad.graph) : '';
    const subject = this.#textOf(quad.subject);
    const predicate = quad.predicate.value === RDF_TYPE ? 'a' : this.#textOf(quad.predicate);
    const object = this.#textOf(quad.object);
    if (subject === this.#subject) {
      if (predicate === this.#predicate) return `, ${object}`;
      this.#predicate = predicate;
      return ` ;\n    ${predicate} ${object}`;
    }
    const closing = this.#closeSubject();
    this.#subject = subject;
    this.#predicate = predicate;
    return `${opening}${closing}${subject} ${predicate} ${object}`;
  }

  #openGraph(graph: RDF.Term): string {
    const name = graph.termType === 'DefaultGraph' ? '' : this.#textOf(graph);
    if (name === this.#graph) return '';
    const closing = this.#closeGraph();
    this.#graph = name;
    return name === '' ? closing : `${closing}${name} {\n`;
  }

  #closeGraph(): string {
    const closing = this.#closeSubject() + (this.#graph === '' ? '' : '}\n');
    this.#graph = '';
    return closing;
  }

  #closeSubject(): string {
    const closing = this.#subject === '' ? '' : ' .\n';
    this.#subject = '';
    return closing;
  }

  #textOf(term: RDF.Term): string {
    switch (term.termType) {
      case 'NamedNode':
        return this.#names.textOf(term.value);
      case 'Literal':
        return this.#literalText(term);
      case 'Quad': {
        const { subject, predicate, object } = term;
        return `<<( ${this.#textOf(subject)} ${this.#textOf(predicate)} ${this.#textOf(object)} )>>`;
      }
      default:
        return termToNTriples(term);
    }
  }

  #literalText(term: RDF.Literal): string {
    const text = termToNTriples(term);
    if (term.language !== '' || text.endsWith('"')) return text;
    const datatype = term.datatype.value;
    if (BARE.get(datatype)?.test(term.value) === true) return term.value;
    return `${text.slice(0, -datatype.length - 2)}${this.#names.textOf(datatype)}`;
  }
}
