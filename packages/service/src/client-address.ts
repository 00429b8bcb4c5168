/** Whose requests are counted, where a proxy stands in front. */

/** The address in an `X-Forwarded-For`: what the proxy itself saw stands last; before it stands what anybody may have sent. */
export function forwardedAddress(field: string | null | undefined): string | undefined {
  const last = field?.split(',').at(-1)?.trim();
  return last === undefined || last === '' ? undefined : last.slice(0, 100);
}
