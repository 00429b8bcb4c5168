/** The list of what may be fetched although it is private. */
import { InvalidArgumentError } from '@quadrille/model';

export interface AllowRule {
  /** As a URL spells it, without the dot that may end it. */
  readonly host: string;
  /** `undefined`: whatever the general rule for ports permits. */
  readonly port: number | undefined;
  /** `undefined`: both. */
  readonly protocol: string | undefined;
  /** Beginning of the path. */
  readonly path: string;
}

const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?$/i;

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function parseAllow(entry: string): AllowRule {
  const rule = entry.includes('://') ? urlPrefix(entry) : hostAndPort(entry);
  if (rule !== undefined) return rule;
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `allow takes a host, host:port or the beginning of an http(s) URL, not ${JSON.stringify(entry)}`,
  );
}

function hostAndPort(entry: string): AllowRule | undefined {
  const [, host = '', port] = HOST_AND_PORT.exec(entry) ?? [];
  const url = parseUrl(`http://${host}/`);
  if (host === '' || url === undefined || Number(port ?? 1) > 65_535) return undefined;
  return { host: hostOf(url), port: port === undefined ? undefined : Number(port), protocol: undefined, path: '/' };
}

function urlPrefix(entry: string): AllowRule | undefined {
  const url = parseUrl(entry);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return { host: hostOf(url), port: portOf(url), protocol: url.protocol, path: url.pathname };
}

/** Whether the rule lists this URL. A path is compared by whole segments. */
export function allows(rule: AllowRule, url: URL): boolean {
  if (rule.host !== hostOf(url)) return false;
  if (rule.port !== undefined && rule.port !== portOf(url)) return false;
  if (rule.protocol !== undefined && rule.protocol !== url.protocol) return false;
  if (!url.pathname.startsWith(rule.path)) return false;
  return rule.path.endsWith('/') || url.pathname.length === rule.path.length || url.pathname[rule.path.length] === '/';
}

/** The host as a name or an address: without brackets, and without the dots that make a name absolute. */
export function hostOf(url: URL): string {
  const { hostname } = url;
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return hostname.replace(/\.+$/, '');
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
