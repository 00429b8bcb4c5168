/** Addresses of other repositories of the same store: `repo:account/name`, and `repo:account/name@ref` for one of its revisions. */
import type * as RDF from '@rdfjs/types';
import { InvalidArgumentError } from '@quadrille/model';
import type { Service } from './algebra.js';

/** The address of another repository in a request. */
export interface RepositoryAddress {
  /** As the request writes it. */
  readonly iri: string;
  /** `account/name`. */
  readonly name: string;
  /** A revision in any form that the store knows; `undefined`: the newest one. */
  readonly ref: string | undefined;
}

const SCHEME = 'repo:';
const ADDRESS = /^repo:([^/@\s]+\/[^/@\s]+)(?:@(.+))?$/;
const SHOWN = 200;

export const isRepositoryAddress = (iri: string): boolean => iri.startsWith(SCHEME);

/** Whether a term of a request names another repository. */
export const namesRepository = (term: RDF.Term): boolean =>
  term.termType === 'NamedNode' && isRepositoryAddress(term.value);

/** @throws InvalidArgumentError `INVALID_NAME` */
export function parseRepositoryAddress(iri: string): RepositoryAddress {
  const [, name, ref] = ADDRESS.exec(iri) ?? [];
  if (name !== undefined) return { iri, name, ref };
  throw new InvalidArgumentError(
    'INVALID_NAME',
    `not the address of a repository: <${iri.slice(0, SHOWN)}>; expected <repo:account/name> or <repo:account/name@ref>, where ref is a revision`,
  );
}

/** Whether a SERVICE asks another repository of the store. One with a variable may ask some, which its rows decide. */
export const isOtherRepository = ({ name }: Service): boolean => namesRepository(name);
