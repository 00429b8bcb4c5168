/** Writes TriX: one graph element for consecutive statements of one graph. */
import type { RdfSerializer } from '@quadrille/formats';
import { XSD_STRING } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { TRIX_NS } from './trix-parser.js';
import { escapeXmlAttribute, escapeXmlText } from '../xml/xml-literal.js';
import { ITS_NS } from '../xml/xml-reader.js';
import { xmlText } from '../xml/xml-text.js';

/** @throws EvaluationError `UNSUPPORTED`, from `write`, for characters that XML cannot carry */
export function createTrixSerializer(): RdfSerializer {
  return new TrixSerializer();
}

class TrixSerializer implements RdfSerializer {
  #started = false;
  #graph: RDF.Term | undefined;

  write(quads: readonly RDF.Quad[]): string {
    let text = this.#head();
    for (const quad of quads) {
      if (this.#graph?.equals(quad.graph) !== true) text += this.#closeGraph() + this.#openGraph(quad.graph);
      text += tripleText(quad, '    ');
    }
    return text;
  }

  end(): string {
    return `${this.#head()}${this.#closeGraph()}</TriX>\n`;
  }

  #head(): string {
    if (this.#started) return '';
    this.#started = true;
    return `<?xml version="1.0" encoding="UTF-8"?>\n<TriX xmlns="${TRIX_NS}" xmlns:its="${ITS_NS}">\n`;
  }

  #openGraph(graph: RDF.Term): string {
    this.#graph = graph;
    return graph.termType === 'DefaultGraph' ? '  <graph>\n' : `  <graph>\n${termText(graph, '    ')}`;
  }

  #closeGraph(): string {
    if (this.#graph === undefined) return '';
    this.#graph = undefined;
    return '  </graph>\n';
  }
}

function tripleText({ subject, predicate, object }: RDF.BaseQuad, indent: string): string {
  const terms = [subject, predicate, object].map((term) => termText(term, `${indent}  `)).join('');
  return `${indent}<triple>\n${terms}${indent}</triple>\n`;
}

function termText(term: RDF.Term, indent: string): string {
  switch (term.termType) {
    case 'NamedNode':
      return `${indent}<uri>${escapeXmlText(xmlText(term))}</uri>\n`;
    case 'BlankNode':
      return `${indent}<id>${escapeXmlText(term.value)}</id>\n`;
    case 'Quad':
      return tripleText(term, indent);
    case 'Literal':
      return `${indent}${literalText(term)}\n`;
    default:
      return '';
  }
}

function literalText(literal: RDF.Literal): string {
  const { language, direction, datatype } = literal;
  const text = escapeXmlText(xmlText(literal));
  if (language !== '') {
    const its = direction ? ` its:dir="${direction}"` : '';
    return `<plainLiteral xml:lang="${language}"${its}>${text}</plainLiteral>`;
  }
  if (datatype.value === XSD_STRING) return `<plainLiteral>${text}</plainLiteral>`;
  return `<typedLiteral datatype="${escapeXmlAttribute(datatype.value)}">${text}</typedLiteral>`;
}
