/** The report of a validation by a server. */
import { parseQuads, parseTerm } from '@quadrille/formats';
import { termToNTriples } from '@quadrille/model';
import type { Request, Requests } from './requests.js';
import { bytesOf, LazyResults } from './results.js';
import { lineOf, refText } from './texts.js';
import type { ExplainedConstraint, ShapesReport, ShapesResult, ValidateOptions } from './types.js';

interface ResultRecord extends Omit<ShapesResult, 'focusNode' | 'value' | 'shape'> {
  readonly focusNode: string;
  readonly value?: string;
  readonly shape: string;
}

interface ConstraintRecord extends Omit<ExplainedConstraint, 'shape' | 'source'> {
  readonly shape: string;
  readonly source?: string;
}

interface ReportRecord extends Omit<ShapesReport, 'results' | 'report' | 'constraints'> {
  readonly results: readonly ResultRecord[];
  readonly constraints?: readonly ConstraintRecord[];
}

const NQUADS = 'application/n-quads';
const NTRIPLES = 'application/n-triples';

/** @throws ClientError `SHAPES_INVALID`, `SHAPES_TIMEOUT` */
export async function shapesReport(requests: Requests, options: ValidateOptions): Promise<ShapesReport> {
  const asked = requestOf(options);
  const { signal } = options;
  const explain = options.explain === true ? '1' : undefined;
  const { constraints, ...told } = await requests.json<ReportRecord>({
    ...asked,
    parameters: { ...asked.parameters, explain },
  });
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
    ...(constraints !== undefined && { constraints: constraints.map(constraintOf) }),
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

const constraintOf = ({ shape, path, component, source, ...others }: ConstraintRecord): ExplainedConstraint => ({
  shape: parseTerm(shape),
  path,
  component,
  source: source === undefined ? undefined : parseTerm(source),
  ...others,
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
