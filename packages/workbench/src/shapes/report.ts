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

export interface ShapesReport {
  readonly conforms: boolean;
  readonly results: readonly ShapesResult[];
  /** Whether there are more results. */
  readonly truncated: boolean;
  readonly warnings: readonly ShapesWarning[];
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
    limit: MOST_RESULTS,
  });
  return getJson(`${repository}/validate${parameters}`, signal);
};
