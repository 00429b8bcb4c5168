/** Requests as plain values, for an engine in another thread. Placeholders of templates have another name in each thread. */
import type * as RDF from '@rdfjs/types';
import { dataFactory, termToText, textToTerm } from '@quadrille/model';
import { PLACEHOLDER_PREFIX, toTemplate, type SparqlTemplate } from './template.js';

/** A term as its canonical text, or the three terms of a triple term. */
export type SentTerm = string | readonly [SentTerm, SentTerm, SentTerm];

/** A request that was made ready for another thread. */
export interface SentTemplate {
  /** Its text. */
  readonly text: string;
  /** How placeholders begin in the text. */
  readonly placeholders: string;
  /** The terms of its placeholders. */
  readonly values: readonly SentTerm[];
}

/** A term as a plain value. */
export function sendTerm(term: RDF.Term): SentTerm {
  if (term.termType !== 'Quad') return termToText(term);
  return [sendTerm(term.subject), sendTerm(term.predicate), sendTerm(term.object)];
}

/** The term of a plain value. */
export function receiveTerm(term: SentTerm): RDF.Term {
  if (typeof term === 'string') return textToTerm(term);
  const [subject, predicate, object] = term.map(receiveTerm);
  return dataFactory.quad(subject as RDF.Quad_Subject, predicate as RDF.Quad_Predicate, object as RDF.Quad_Object);
}

/** A request as a plain value. */
export function sendRequest(request: string | SparqlTemplate): SentTemplate {
  const { text, values } = typeof request === 'string' ? { text: request, values: [] } : request;
  return { text, placeholders: PLACEHOLDER_PREFIX, values: values.map(sendTerm) };
}

/** A text stays a text, because the caches of plans by shape take texts only. */
export function receiveRequest({ text, placeholders, values }: SentTemplate): string | SparqlTemplate {
  if (values.length === 0) return text;
  return toTemplate({ text: text.replaceAll(placeholders, PLACEHOLDER_PREFIX), values: values.map(receiveTerm) });
}
