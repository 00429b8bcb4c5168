/** The network of an address: a host usually controls all addresses of its network, so limits count networks. */
import { RecentMap } from '@quadrille/model';

/** Each request asks for the network of its client, and a client sends many. */
const known = new RecentMap<string, string>(256);
const LONGEST_KNOWN = 64;

/** The IPv4 address, or the first 64 bits of an IPv6 address, in one spelling. What is no address stays as it is. */
export function networkOf(address: string): string {
  const before = known.get(address);
  if (before !== undefined) return before;
  const network = foundNetwork(address);
  if (address.length <= LONGEST_KNOWN) known.set(address, network);
  return network;
}

function foundNetwork(address: string): string {
  const text = address
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/%.*$/, '');
  const four = /^(?:::ffff:(?:0:)?)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/.exec(text)?.[1];
  if (four !== undefined || !text.includes(':')) return four ?? text;
  const [before = '', after] = text.split('::');
  const groups = before === '' ? [] : before.split(':');
  const rest = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  const all = [...groups, ...zeros, ...rest].map((group) => group.replace(/^0+(?=.)/, ''));
  // The same host as by IPv4, written in hexadecimal digits.
  if (all.length === 8 && all.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return dotted(all[6]!, all[7]!);
  return all.slice(0, 4).join(':');
}

const dotted = (high: string, low: string): string =>
  [high, low]
    .flatMap((group) => {
      const bits = Number.parseInt(group, 16);
      return [bits >> 8, bits & 255];
    })
    .join('.');
