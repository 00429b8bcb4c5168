/** Functions by IRI that each engine has. */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import { loadHighlighter } from '@quadrille/core';
import type { ExtensionFunctions } from '@quadrille/sparql';

/** As in `text:query`: what stands before and behind words, where a call does not say it. */
const MARKS = ['\u21a6', '\u21a4'] as const;

let highlighter: Awaited<ReturnType<typeof loadHighlighter>> | undefined;

/** `text:highlight(?literal, "words")`, and perhaps what stands before and behind words. */
function highlight(args: RDF.Term[]): RDF.Term | undefined | Promise<RDF.Term | undefined> {
  const [literal, ...texts] = args;
  if (!isString(literal) || !texts.every(isString) || texts.length === 0 || texts.length > 3) return undefined;
  const [words, start = MARKS[0], end = MARKS[1]] = texts.map(({ value }) => value);
  const marked = (mark: NonNullable<typeof highlighter>): RDF.Term => {
    const { value, language, direction } = literal;
    const text = mark(value, words!, start, end);
    return dataFactory.literal(text, language === '' ? undefined : { language, direction: direction ?? '' });
  };
  if (highlighter !== undefined) return marked(highlighter);
  return loadHighlighter().then((loaded) => marked((highlighter = loaded)));
}

const isString = (term: RDF.Term | undefined): term is RDF.Literal =>
  term?.termType === 'Literal' && (term.language !== '' || term.datatype.value === XSD_STRING);

const XSD_STRING = 'http://www.w3.org/2001/XMLSchema#string';

export const OWN_FUNCTIONS: ExtensionFunctions = { 'http://jena.apache.org/text#highlight': highlight };
