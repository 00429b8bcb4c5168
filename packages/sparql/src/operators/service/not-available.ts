/** The error of a SERVICE that may not be asked. */
import type * as RDF from '@rdfjs/types';
import { FetchError, printTerm } from '@quadrille/model';

export const notAvailable = (endpoint: RDF.Term): FetchError =>
  new FetchError('BLOCKED_ADDRESS', `SERVICE is not allowed here: ${printTerm(endpoint)}`);
