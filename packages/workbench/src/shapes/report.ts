/** Reports of validations. */
import { getJson, parametersOf } from '../api/client.js';
import { refOf } from '../api/revisions.js';
import type { ShapesWarning } from '../api/settings.js';

/** Terms are in N-Triples syntax, paths as SPARQL writes them. */
export interface ShapesResult {
  readonly focusNode: string;
  readonly path?: string;
  readonly value?: string;
  readonly shape: string;
  /** An IRI. */
  readonly severity: string;
  readonly message: string;
}

/** What the guard does for one constraint. */
export interface ShapesConstraint {
  readonly shape: string;
  readonly path?: string;
  /** An IRI. */
  readonly component: string;
  /** Patterns: a change of a quad that fits one of them validates all nodes. */
  readonly all: readonly string[];
  /** Commits that it was checked for, nodes of them, and what these have cost. */
  readonly commits: number;
  readonly nodes: number;
  readonly milliseconds: number;
}

export interface ShapesReport {
  readonly conforms: boolean;
  readonly results: readonly ShapesResult[];
  /** Whether there are more results. */
  readonly truncated: boolean;
  readonly warnings: readonly ShapesWarning[];
  readonly constraints: readonly ShapesConstraint[];
}

/** Results of one page. */
const MOST_RESULTS = 1000;

/**
 * Validates a revision against the shapes of the settings.
 * @param ofChange only what the change of the revision affects
 */
export const getReport = (
  repository: string,
  at: string | undefined,
  ofChange: boolean,
  signal: AbortSignal,
): Promise<ShapesReport> => {
  const parameters = parametersOf({
    'revision-id': at === undefined ? undefined : refOf(at),
    change: ofChange ? 1 : undefined,
    explain: 1,
    limit: MOST_RESULTS,
  });
  return getJson(`${repository}/validate${parameters}`, signal);
};
