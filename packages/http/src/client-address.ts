/** The address under which the requests of a client are counted. */

/** What an operator decides about how a request says who sends it. */
export interface SenderOptions {
  /** Whether a token may also come as the parameter `auth_token`, for older clients. */
  readonly queryToken: boolean;
  /** Whether a proxy in front tells the address of the client by `X-Forwarded-For`. */
  readonly trustProxy: boolean;
}

/** The address of a client: `forwardedFor` is its `X-Forwarded-For`, `peer` the other end of the connection. */
export function clientAddress(
  forwardedFor: string | null | undefined,
  peer: string | undefined,
  { trustProxy }: Pick<SenderOptions, 'trustProxy'>,
): string {
  return (trustProxy ? forwardedAddress(forwardedFor) : undefined) ?? peer ?? '';
}

/** The proxy adds the address that it sees at the end; everything before it may be invented by the client. */
function forwardedAddress(field: string | null | undefined): string | undefined {
  const last = field?.split(',').at(-1)?.trim();
  return last === undefined || last === '' ? undefined : last.slice(0, 100);
}
