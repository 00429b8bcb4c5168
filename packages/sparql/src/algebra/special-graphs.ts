/** Names of graphs that decide what a request reads, and with which rights: sets of graphs, computed graphs, other repositories. */
import type * as RDF from '@rdfjs/types';
import { isRepositoryAddress } from './repository-address.js';

const PREFIXES = ['urn:quadrille:', 'urn:dydra:'];

/** Whether a plan, or what surrounds it, may depend on the name itself and not only on what the graph of this name has in it. */
export const isSpecialGraph = ({ value }: RDF.Term): boolean =>
  isRepositoryAddress(value) || PREFIXES.some((prefix) => value.startsWith(prefix));
