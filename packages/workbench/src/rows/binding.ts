/** Terms of SPARQL results in JSON. */
import type { Binding } from '../api/sparql.js';
import type { Term } from './term.js';

const KINDS = { uri: 'iri', literal: 'literal', bnode: 'blank', triple: 'triple' } as const;

export function termOf(binding: Binding): Term {
  const { type, value, datatype, 'xml:lang': language } = binding;
  if (type === 'triple') return { kind: 'triple', value: JSON.stringify(value) };
  return {
    kind: KINDS[type],
    value: type === 'bnode' ? `_:${value}` : value,
    ...(language === undefined ? {} : { language }),
    ...(datatype === undefined ? {} : { datatype }),
  };
}
