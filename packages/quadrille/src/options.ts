/** Options objects are checked: an unknown key is a mistake that must not pass in silence. */
import { EvaluationError, InvalidArgumentError } from '@quadrille/model';

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function checkOptions(options: object | undefined, allowed: readonly string[], call: string): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null) {
    throw new InvalidArgumentError('INVALID_OPTION', `${call}: options must be an object, not ${String(options)}`);
  }
  for (const key of Object.keys(options)) {
    if (!allowed.includes(key)) {
      throw new InvalidArgumentError(
        'INVALID_OPTION',
        `${call}: unknown option ${JSON.stringify(key)} (known: ${allowed.join(', ')})`,
        {
          details: { option: key },
        },
      );
    }
  }
}

const TERM_TYPES: readonly unknown[] = ['NamedNode', 'BlankNode', 'Literal', 'Quad'];

/** @throws InvalidArgumentError `INVALID_TERM` for a value that is no RDF/JS term */
export function checkBindings(bindings: Readonly<Record<string, unknown>> | undefined): void {
  for (const [name, value] of Object.entries(bindings ?? {})) {
    const isTerm = typeof value === 'object' && value !== null && 'termType' in value;
    if (isTerm && TERM_TYPES.includes(value.termType)) continue;
    throw new InvalidArgumentError('INVALID_TERM', `bindings: the value of ${name} is no RDF term: ${String(value)}`);
  }
}

/** @throws EvaluationError `ABORTED` where the caller has given up */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new EvaluationError('ABORTED', 'the caller aborted the call', { cause: signal.reason });
}

export const READ_OPTIONS = ['signal'] as const;
/** Of queries and updates. */
export const SPARQL_OPTIONS = [
  ...READ_OPTIONS,
  'timeoutMs',
  'bindings',
  'baseIRI',
  'defaultGraphUris',
  'namedGraphUris',
  'unionDefaultGraph',
  'memoryBytes',
  'maxRows',
] as const;
export const QUERY_OPTIONS = [...SPARQL_OPTIONS, 'extraGraphs'] as const;
export const EXPLAIN_OPTIONS = [...QUERY_OPTIONS, 'analyze'] as const;
export const PREPARE_OPTIONS = ['baseIRI'] as const;
export const COMMIT_OPTIONS = ['signal', 'message', 'author', 'ifRevision', 'id'] as const;
export const UPDATE_OPTIONS = [...SPARQL_OPTIONS, ...COMMIT_OPTIONS] as const;
export const TRANSACTION_OPTIONS = [...COMMIT_OPTIONS, 'retries'] as const;
export const LOAD_OPTIONS = [
  ...COMMIT_OPTIONS,
  'format',
  'graph',
  'baseIRI',
  'replace',
  'onProgress',
  'sourceName',
  'bytesTotal',
  'bytesRead',
  'maxBytes',
  'maxRatio',
  'loadDocument',
  'records',
] as const;
export const LOG_OPTIONS = [...READ_OPTIONS, 'limit', 'before'] as const;
export const HISTORY_OPTIONS = [...READ_OPTIONS, 'from', 'to'] as const;
export const OPEN_OPTIONS = [
  'backend',
  'readOnly',
  'durability',
  'cacheBytes',
  'repositoryBytes',
  'lockTimeoutMs',
  'create',
  'logger',
  'federation',
] as const;
