/** Cross-origin resource sharing, as in the Fetch standard. */

/** `*`: pages of all origins, without credentials. A list: pages of these origins, with credentials. */
export type AllowedOrigins = '*' | readonly string[];
/** Headers by name. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** The fields for every answer, by the `Origin` of the request. `exposed` lists the fields that pages may read. */
export function originFields(allowed: AllowedOrigins, exposed: string): (origin: string | null | undefined) => Fields {
  const read = ['Access-Control-Expose-Headers', exposed] as const;
  if (allowed === '*') {
    const everybody: Fields = [['Access-Control-Allow-Origin', '*'], read];
    return () => everybody;
  }
  const nobody: Fields = [['Vary', 'Origin']];
  return (origin) =>
    origin === null || origin === undefined || !allowed.includes(origin)
      ? nobody
      : [...nobody, ['Access-Control-Allow-Origin', origin], ['Access-Control-Allow-Credentials', 'true'], read];
}

/** The fields for the answer to a preflight request. */
export const preflightFields = (methods: string, headers: string): Readonly<Record<string, string>> => ({
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': headers,
  'Access-Control-Max-Age': '86400',
});
