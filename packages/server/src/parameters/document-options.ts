/** The parameters that say how a document is read. */
import { checkJsonLdOptions } from '@quadrille/formats';
import type { JsonLdOptions } from '@quadrille/formats';
import { refuseParameter } from '../http/index.js';
import { InvalidArgumentError } from '@quadrille/model';
import type { LoadOptions } from 'quadrille';
import type { Service } from '../service.js';
import { baseOf } from './terms.js';

/** How JSON-LD is read. Other formats ignore these parameters. */
export const JSON_LD_PARAMETERS = ['rdfDirection', 'expandContext', 'processingMode'] as const;

/**
 * @param base the base IRI where the request names none
 * @throws InvalidArgumentError, HttpError 400 for a value that cannot be used
 */
export function documentOptions(
  { hosted }: Pick<Service, 'hosted'>,
  parameters: URLSearchParams,
  base: string,
): Pick<LoadOptions, 'baseIRI' | 'jsonLd' | 'loadDocument'> {
  const jsonLd = jsonLdOf(parameters);
  const { loadDocument } = hosted.imports;
  return { loadDocument, baseIRI: baseOf(parameters, base), ...(jsonLd === undefined ? {} : { jsonLd }) };
}

/** @throws InvalidArgumentError, HttpError 400 for a value that cannot be used */
export function jsonLdOf(parameters: URLSearchParams): JsonLdOptions | undefined {
  const given = JSON_LD_PARAMETERS.filter((name) => parameters.has(name)).map((name): [string, unknown] => {
    const text = parameters.get(name)!.trim();
    return [name, name === 'expandContext' ? contextOf(text) : text];
  });
  if (given.length === 0) return undefined;
  for (const [name, value] of given) {
    try {
      checkJsonLdOptions({ [name]: value }, name);
    } catch (error) {
      throw error instanceof InvalidArgumentError ? refuseParameter(name)(error.message) : error;
    }
  }
  return Object.fromEntries(given);
}

/** The address of a context, or a context as JSON. */
function contextOf(text: string): unknown {
  if (!/^[{[]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuseParameter('expandContext')(`expandContext is not JSON: ${cause instanceof Error ? cause.message : ''}`);
  }
}
