/** The arguments of a move. */
import { platform } from '#platform';
import { InvalidArgumentError } from '@quadrille/model';
import type { StoreServer } from '../api/index.js';
import type { Location } from '../open.js';
import { httpAddress, shownAddress } from '../options/http-address.js';

type Place = Exclude<Location, URL>;

const wrong = (problem: string, option: string): InvalidArgumentError =>
  new InvalidArgumentError('INVALID_OPTION', `moveRepository: ${problem}`, { details: { option } });

/** The two stores. @throws InvalidArgumentError `INVALID_OPTION` */
export function checkedPlaces(from: Location, to: Location): { readonly from: Place; readonly to: Place } {
  const places = { from: checkedPlace(from, 'from'), to: checkedPlace(to, 'to') };
  const [one, two] = [places.from, places.to];
  const isSame = typeof one === 'string' && typeof two === 'string' && platform.nameOf(one) === platform.nameOf(two);
  if (one === two || isSame) throw sameStore();
  return places;
}

export const sameStore = (): InvalidArgumentError =>
  wrong('both stores are the same one, or one is a copy of the files of the other', 'to');

function checkedPlace(place: Location, option: 'from' | 'to'): Place {
  if (/^https?:/i.test(place instanceof URL ? place.protocol : typeof place === 'string' ? place : '')) {
    throw wrong(
      `${option} is the address of a server: give the directory or the URL of the store that it serves`,
      option,
    );
  }
  if (place === ':memory:') throw wrong(`${option} is a store that ends with this process`, option);
  return place instanceof URL ? platform.pathOf(place) : place;
}

/** The address without a slash at the end. @throws InvalidArgumentError `INVALID_OPTION` */
export function checkedRedirect(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const address = httpAddress(text);
  if ('href' in address) return address.href;
  throw wrong(`redirect ${shownAddress(text)} ${address.problem}`, 'redirect');
}

/** @throws InvalidArgumentError `INVALID_OPTION` if a server of the first store has the address */
export function checkElsewhere(redirect: string | undefined, servers: readonly StoreServer[]): void {
  if (redirect === undefined) return;
  const { origin } = new URL(redirect);
  const own = servers.find(({ url }) => url !== undefined && new URL(url).origin === origin);
  if (own !== undefined)
    throw wrong(`redirect ${redirect} is a server of the store that the repository leaves`, 'redirect');
}
