/** Addresses of servers that callers give. */

/** An address as it is used, without a slash at the end; or what is wrong with it. */
export type HttpAddress = { readonly href: string } | { readonly problem: string };

/**
 * An address of http or https that has neither credentials nor a query nor a fragment.
 * @param credentials what to do with credentials instead, for the error
 */
export function httpAddress(text: string, credentials = ''): HttpAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return { problem: 'is no address of http or https' };
  if (url.username !== '' || url.password !== '') return { problem: `has credentials${credentials}` };
  // Also an empty one, which `search` and `hash` do not show.
  if (/[?#]/.test(text)) return { problem: 'has a query or a fragment' };
  return { href: url.href.replace(/\/+$/, '') };
}

/** An address for an error: without its credentials, and not too long. */
export const shownAddress = (text: string): string => text.replace(/\/\/[^/@]*@/, '//').slice(0, 200);
