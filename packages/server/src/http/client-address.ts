/** The address under which the requests of a client are counted. */

/** Options for the identification of senders. */
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

/** The last address, which the proxy added. The client may have invented the addresses before it. */
function forwardedAddress(field: string | null | undefined): string | undefined {
  const last = field?.split(',').at(-1)?.trim();
  return last === undefined || last === '' ? undefined : last.slice(0, 100);
}
