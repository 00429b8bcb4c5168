/** What completion asks for. */

/** A term of the repository with the number of its uses. */
export interface KnownTerm {
  readonly iri: string;
  readonly count: number;
}

export interface CompletionSource {
  readonly namespaces: () => Readonly<Record<string, string>>;
  /** Names that begin with an IRI, from the server. */
  readonly terms: (start: string) => Promise<readonly KnownTerm[]>;
  /** The name that the repository has for a resource. */
  readonly label: (iri: string) => Promise<string | undefined>;
}
