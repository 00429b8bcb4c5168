/** Content negotiation for resources where a parameter may name the type. */
import type { Context } from '../context.js';
import { formats } from '../documents/formats.js';
import { negotiate } from './negotiate.js';

/** For clients that cannot set headers. A specific Accept has priority. */
const PARAMETERS = ['Accept', 'format', 'output', 'results'];
/** Short names, with the type for rows and the type for graphs. */
const SHORT_NAMES: Readonly<Record<string, readonly string[]>> = {
  json: ['application/sparql-results+json', 'application/ld+json'],
  xml: ['application/sparql-results+xml', 'application/rdf+xml'],
  csv: ['text/csv'],
  tsv: ['text/tab-separated-values'],
  boolean: ['text/boolean'],
};

/**
 * As {@link negotiate}. A parameter decides if Accept is missing or accepts every type.
 * @throws HttpError 400 or 406
 */
export function acceptable(context: Context, parameters: URLSearchParams, offers: readonly string[]): string {
  const accept = context.header('Accept')?.trim() ?? '';
  if (accept !== '' && accept !== '*/*') return negotiate(accept, offers);
  const explicit = parameters.get('Accept')?.trim() ?? '';
  if (explicit.includes('/')) return negotiate(explicit, offers);
  for (const name of PARAMETERS) {
    const wanted = typesOf(parameters.get(name)?.trim() ?? '').find((type) => offers.includes(type));
    if (wanted !== undefined) return wanted;
  }
  return negotiate(null, offers);
}

function typesOf(name: string): readonly string[] {
  if (name === '') return [];
  if (name.includes('/')) return [name.toLowerCase()];
  const short = Object.hasOwn(SHORT_NAMES, name.toLowerCase()) ? SHORT_NAMES[name.toLowerCase()] : undefined;
  if (short !== undefined) return short;
  try {
    return formats.find(name).mediaTypes;
  } catch {
    return [];
  }
}
