/** The option `federation` of open(): which other hosts SERVICE and LOAD may reach. */
import { platform } from '#platform';
import { InvalidArgumentError } from '@quadrille/model';
import type { RemoteSources } from '@quadrille/sparql';
import type { FederationOptions } from '../api/index.js';
import { checkOptions } from '../options.js';

const FEDERATION_OPTIONS = ['service', 'load', 'allow', 'timeoutMs'] as const;

/**
 * What reaches other hosts, where that is wanted at all; only then the fetcher is imported.
 * @throws InvalidArgumentError `INVALID_OPTION`
 */
export async function openFederation(options: FederationOptions | undefined): Promise<RemoteSources | undefined> {
  if (options === undefined) return undefined;
  checkOptions(options, FEDERATION_OPTIONS, 'federation');
  const { load = false, timeoutMs } = options;
  const service = texts(options.service, 'service');
  const allow = texts(options.allow, 'allow');
  if (typeof load !== 'boolean') throw invalid(`load is true or false, not ${String(load)}`);
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs < 2 ** 31)) {
    throw invalid(`timeoutMs is a number of milliseconds, not ${String(timeoutMs)}`);
  }
  const [fetch, { createRemoteSources }] = await Promise.all([platform.createFetch(allow), import('./remote.js')]);
  return createRemoteSources({ fetch, serviceAllow: service, load, timeoutMs });
}

function texts(value: unknown, name: string): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw invalid(`${name} is a list of texts`);
}

function invalid(message: string): InvalidArgumentError {
  return new InvalidArgumentError('INVALID_OPTION', `federation: ${message}`);
}
