/** The report of a validation by a server. */
import { parseQuads, parseTerm } from '@quadrille/formats';
import { termToNTriples } from '@quadrille/model';
import type { Request, Requests } from './requests.js';
import { bytesOf, LazyResults } from './results.js';
import { lineOf, refText } from './texts.js';
import type { ShapesReport, ShapesResult, ValidateOptions } from './types.js';

interface ResultRecord extends Omit<ShapesResult, 'focusNode' | 'value' | 'shape'> {
  readonly focusNode: string;
  readonly value?: string;
  readonly shape: string;
}

const NQUADS = 'application/n-quads';
const NTRIPLES = 'application/n-triples';

/** @throws ClientError `SHAPES_INVALID`, `SHAPES_TIMEOUT` */
export async function shapesReport(requests: Requests, options: ValidateOptions): Promise<ShapesReport> {
  const asked = requestOf(options);
  const { signal } = options;
  const told = await requests.json<Omit<ShapesReport, 'results' | 'report'> & { readonly results: ResultRecord[] }>(
    asked,
  );
  const report = new LazyResults(async function* () {
    const response = await requests.send({ ...asked, accept: NTRIPLES });
    yield* parseQuads(bytesOf(response, signal), { format: 'nt' });
  });
  return {
    conforms: told.conforms,
    results: told.results.map(resultOf),
    report,
    truncated: told.truncated,
    warnings: told.warnings,
  };
}

const resultOf = ({ focusNode, value, shape, path, component, severity, message }: ResultRecord): ShapesResult => ({
  focusNode: parseTerm(focusNode),
  path,
  value: value === undefined ? undefined : parseTerm(value),
  component,
  shape: parseTerm(shape),
  severity,
  message,
});

function requestOf({ at, shapes, focus, change, limit, strict, timeoutMs, signal }: ValidateOptions): Request {
  const parameters = {
    'revision-id': at === undefined ? undefined : refText(at),
    graph: typeof shapes === 'string' ? shapes : undefined,
    focus: focus?.map((term) => termToNTriples(term)),
    change: change === true ? '1' : undefined,
    strict: strict === true ? '1' : undefined,
    limit: limit?.toString(),
    timeout: timeoutMs === undefined ? undefined : String(timeoutMs / 1000),
  };
  const path = '/validate';
  if (typeof shapes !== 'object') return { path, parameters, signal };
  let body = '';
  for (const each of shapes) body += lineOf(each);
  return { method: 'POST', path, parameters, headers: { 'Content-Type': NQUADS }, body, signal };
}
