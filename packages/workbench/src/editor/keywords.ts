/** Keywords of SPARQL, by the numbers of the generated parser. */
import { numberOf } from './keyword-numbers.js';
import * as terms from './sparql.terms.js';

export const keyword = (value: string): number => numberOf(value, terms as Readonly<Record<string, number>>);
