/** The options of a fetcher, checked and with their defaults. */
import { lookup } from 'node:dns/promises';
import { InvalidArgumentError } from '@quadrille/model';
import { type AllowRule, parseAllow } from './allow.js';

/**
 * `off`: nothing is fetched. `listed`: only what `allow` lists. `public`: public addresses, and what `allow` lists.
 * `all`: every address and every port.
 */
export type FetchMode = 'off' | 'listed' | 'public' | 'all';

/** A port, or the first and the last of a range. */
export type PortRange = number | readonly [first: number, last: number];

/** Bytes, milliseconds and counts. */
export interface FetchLimits {
  /** Until a connection stands. Default 10 s. */
  readonly connectMs: number;
  /** Without a byte while one is awaited. Default 30 s. */
  readonly idleMs: number;
  /** From the call to the last byte. Default 30 min. */
  readonly totalMs: number;
  /** Of a body, compressed and decompressed alike. Default 2 GiB. */
  readonly maxBytes: number;
  /** Of decompressed to compressed bytes, looked at from 1 MB on. Default 200. */
  readonly maxRatio: number;
  /** Default 5. */
  readonly maxRedirects: number;
}

/** Options of {@link createGuardedFetch}. */
export interface GuardedFetchOptions {
  /** Default `public`. */
  readonly mode?: FetchMode | undefined;
  /**
   * What is permitted although its address is private: a host (`db.intern`, on the ports of `ports`), a host and port
   * (`localhost:3030`, `[::1]:3030`), or the beginning of URLs (`https://intern.example/data/`).
   */
  readonly allow?: readonly string[] | undefined;
  /** The ports of hosts that are not listed with theirs. Default {@link DEFAULT_PORTS}. */
  readonly ports?: readonly PortRange[] | undefined;
  /** Limits that differ from the default. */
  readonly limits?: Partial<FetchLimits> | undefined;
  /** All addresses of a host name. Default: the resolver of the system. */
  readonly resolve?: ((hostname: string) => Promise<readonly string[]>) | undefined;
  /** Certificates (PEM) of further authorities for https, beside those of Node.js. */
  readonly ca?: readonly string[] | undefined;
}

export interface FetchSettings {
  readonly mode: FetchMode;
  readonly allow: readonly AllowRule[];
  readonly ports: readonly PortRange[];
  readonly limits: FetchLimits;
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
  readonly ca: readonly string[];
}

/** The limits of a fetcher, where the options do not say otherwise. */
export const DEFAULT_LIMITS: FetchLimits = {
  connectMs: 10_000,
  idleMs: 30_000,
  totalMs: 30 * 60_000,
  maxBytes: 2 * 1024 ** 3,
  maxRatio: 200,
  maxRedirects: 5,
};

/**
 * 80, 443 and 8000 to 65535, without the known ports there of services that are not HTTP or hold data: 8086 InfluxDB,
 * 9042 Cassandra, 9092 Kafka, 9100 printers, 9200 and 9300 Elasticsearch, 10250 kubelet, 11211 memcached, 27017–27019 MongoDB.
 */
export const DEFAULT_PORTS: readonly PortRange[] = [
  80,
  443,
  [8000, 8085],
  [8087, 9041],
  [9043, 9091],
  [9093, 9099],
  [9101, 9199],
  [9201, 9299],
  [9301, 10_249],
  [10_251, 11_210],
  [11_212, 27_016],
  [27_020, 65_535],
];

const MODES: readonly string[] = ['off', 'listed', 'public', 'all'] satisfies FetchMode[];
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function readOptions(options: GuardedFetchOptions): FetchSettings {
  const { mode = 'public', allow = [], ports = DEFAULT_PORTS, resolve = systemResolve, ca = [] } = options;
  if (!MODES.includes(mode)) {
    throw new InvalidArgumentError('INVALID_OPTION', `fetch: mode is one of ${MODES.join(', ')}, not ${String(mode)}`);
  }
  const limits = withLimits(DEFAULT_LIMITS, options.limits ?? {});
  return { mode, allow: allow.map(parseAllow), ports, limits, resolve, ca };
}

/**
 * Limits with some of them replaced; `undefined` replaces nothing.
 * @throws InvalidArgumentError `INVALID_OPTION`
 */
export function withLimits(
  limits: FetchLimits,
  changes: { readonly [Name in keyof FetchLimits]?: FetchLimits[Name] | undefined },
): FetchLimits {
  const changed: Record<string, number> = { ...limits };
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    const most = name.endsWith('Ms') ? LONGEST_TIMER_MS : Number.MAX_SAFE_INTEGER;
    const known = name in DEFAULT_LIMITS;
    if (!known || !Number.isFinite(value) || value < 0 || value > most) {
      throw new InvalidArgumentError('INVALID_OPTION', `fetch: not a limit: ${name} ${String(value)}`);
    }
    changed[name] = value;
  }
  return changed as unknown as FetchLimits;
}

export function hasPort(ports: readonly PortRange[], port: number): boolean {
  return ports.some((range) => (typeof range === 'number' ? range === port : range[0] <= port && port <= range[1]));
}

// It also knows the hosts file, as every other program on the machine does; what it gives is checked either way.
async function systemResolve(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}
