/** The option `federation` of open(): which other hosts SERVICE and LOAD may reach. */
import { platform } from '#platform';
import type { RemoteSources } from '@quadrille/sparql';
import type { FederationOptions, JsonLdContexts } from '../api/index.js';
import { checkOptions } from '../options/check-options.js';
import type { Rules } from '../options/check-options.js';
import { count, MOST_MS, oneOf, texts, trueOrFalse } from '../options/rules.js';

const FEDERATION_OPTIONS: Rules<FederationOptions> = {
  service: texts,
  load: trueOrFalse,
  mode: oneOf('off', 'listed', 'public', 'all'),
  allow: texts,
  timeoutMs: count('milliseconds', 1, MOST_MS),
};

/**
 * What reaches other hosts, where that is wanted at all; only then the fetcher is imported.
 * @throws InvalidArgumentError `INVALID_OPTION`
 */
export async function openFederation(
  options: FederationOptions | undefined,
  contexts: JsonLdContexts | undefined,
): Promise<RemoteSources | undefined> {
  if (options === undefined) return undefined;
  checkOptions(options, FEDERATION_OPTIONS, 'federation');
  const { service = [], load = false, mode, allow, timeoutMs } = options;
  const [fetch, { createRemoteSources }] = await Promise.all([
    platform.createFetch({ mode, allow }),
    import('./remote.js'),
  ]);
  return createRemoteSources({ fetch, serviceAllow: service, load, timeoutMs, contexts });
}
