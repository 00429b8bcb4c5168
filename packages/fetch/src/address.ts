/** Which addresses are on the public internet. What is not known to be public counts as private. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IANA special-purpose registry: what is not globally reachable, and ways to wrap such an address in another. */
const SPECIAL_IPV4: readonly string[] = [
  '0.0.0.0/8', // this network; 0.0.0.0 connects to this machine
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared address space of carriers
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, with the broadcast address
];

/**
 * Public IPv6 is global unicast alone. Outside of it are loopback and unspecified, ::ffff:0:0/96 (mapped IPv4), 64:ff9b::/96 and
 * 64:ff9b:1::/48 (NAT64), 100::/64 (discard), fc00::/7 (unique local), fe80::/10 (link-local), fec0::/10 and ff00::/8 (multicast).
 */
const GLOBAL_UNICAST = '2000::/3';
const SPECIAL_IPV6: readonly string[] = [
  '2001::/23', // protocol assignments, with Teredo 2001::/32, which wraps IPv4
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which wraps IPv4
  '3fff::/20', // documentation
];

const special4 = blockList(SPECIAL_IPV4, 'ipv4');
const special6 = blockList(SPECIAL_IPV6, 'ipv6');
const global6 = blockList([GLOBAL_UNICAST], 'ipv6');

function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix = ''] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}

/** Whether an address, as text without brackets, is on the public internet. False for what is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, 'ipv4');
  // With a zone (fe80::1%eth0) it is bound to a link of this machine.
  if (!isIPv6(address) || address.includes('%')) return false;
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}

/** Whether two texts are the same address, however they are spelled. */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || (isIPv6(one) && isIPv6(other) && canonical(one) === canonical(other));
}

// A URL spells an address in one way only. It has no place for a zone.
const canonical = (address: string): string => new URL(`http://[${address.split('%', 1)[0]}]/`).hostname;
