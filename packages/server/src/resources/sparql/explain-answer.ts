/** The parameter `explain`: the plan of a query, with or without its run, in place of the answer. */
import { refuseParameter } from '../../http/index.js';
import type { Context } from '../../context.js';
import type { QueryOptions, ReadView, SparqlText } from 'quadrille';
import { contentType } from '../../documents/media-types.js';
import { negotiate } from '../../message/negotiate.js';
import { Reply } from '../../message/reply.js';

const OFFERS = ['text/plain', 'application/json'];
const MODES = ['plan', 'analyze'] as const;
export type ExplainMode = (typeof MODES)[number];

/** @throws HttpError 400 for a value that is neither */
export function explainMode(parameters: URLSearchParams): ExplainMode | undefined {
  const value = parameters.get('explain');
  if (value === null) return undefined;
  const mode = MODES.find((known) => known === value);
  if (mode !== undefined) return mode;
  throw refuseParameter('explain')(`explain is plan or analyze, not ${value.slice(0, 50)}`);
}

export async function explainAnswer(
  context: Context,
  view: ReadView,
  query: SparqlText,
  mode: ExplainMode,
  options: QueryOptions,
): Promise<Reply> {
  const mediaType = negotiate(context.header('Accept') ?? null, OFFERS);
  const explanation = await view.explain(query, { ...options, analyze: mode === 'analyze' });
  const body = mediaType === 'text/plain' ? `${explanation.text}\n` : `${JSON.stringify(explanation)}\n`;
  // The times in it differ with each call.
  const headers = { 'Content-Type': contentType(mediaType), 'Cache-Control': 'no-store', Vary: 'Accept' };
  return new Reply(body, { headers });
}
