/** Names of graphs that decide what a request reads, and with which rights: sets of graphs, computed graphs, other repositories. */
import type * as RDF from '@rdfjs/types';
import { isRepositoryAddress } from './repository-address.js';

const PREFIXES = ['urn:quadrille:', 'urn:dydra:'];

/** Whether a plan or its caller may depend on the name of a graph, and not only on the quads of that graph. */
export const isSpecialGraph = ({ value }: RDF.Term): boolean =>
  isRepositoryAddress(value) || PREFIXES.some((prefix) => value.startsWith(prefix));
