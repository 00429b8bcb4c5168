/** Which web pages may use a server (CORS, as the Fetch standard has it): the fields that every interface answers with. */

/** `*`: every page, without credentials. A list: these origins, with credentials. */
export type AllowedOrigins = '*' | readonly string[];
export type Fields = readonly (readonly [name: string, value: string])[];

/** What a page of an origin finds on every answer; where that is not listed, nothing that lets it in. `exposed`: what it may read. */
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

/** What a page finds that asks first. */
export const preflightFields = (methods: string, headers: string): Readonly<Record<string, string>> => ({
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': headers,
  'Access-Control-Max-Age': '86400',
});
