/** Parameters that are on or off. */
import { refuseParameter } from '../http/index.js';

/**
 * Whether a parameter is on: `1` or `true`. Off: `0`, `false`, or without the parameter. `bare`: what `?name` and `?name=` mean.
 * @throws HttpError 400 for another value
 */
export function flagOf(parameters: URLSearchParams, name: string, bare = false): boolean {
  const text = parameters.get(name)?.trim().toLowerCase();
  if (text === '') return bare;
  if (text === undefined || text === '0' || text === 'false') return false;
  if (text === '1' || text === 'true') return true;
  throw refuseParameter(name)(`${name} is 1 or 0, not ${text.slice(0, 50)}`);
}
