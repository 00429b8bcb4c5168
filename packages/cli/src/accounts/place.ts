/** The arguments of commands that take a store, which is left out with `--server`. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Place } from './administrator.js';

export interface PlaceOptions {
  readonly server?: string;
  readonly tokenFile?: string;
}

/** The place, and the other arguments, of which there must be `count`. @throws InvalidArgumentError `INVALID_OPTION` */
export function placeOf(
  given: readonly (string | undefined)[],
  count: number,
  { server, tokenFile }: PlaceOptions,
): { readonly place: Place; readonly rest: readonly string[] } {
  const words = given.filter((word) => word !== undefined);
  const rest = server === undefined ? words.slice(1) : words;
  const [store] = words;
  if (rest.length !== count || (server === undefined && store === undefined)) {
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      'give the directory or URL of a store, or --server URL and no store',
    );
  }
  return { place: server === undefined ? { store: store! } : { server, ...(tokenFile && { tokenFile }) }, rest };
}
