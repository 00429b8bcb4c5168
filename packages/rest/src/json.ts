/** A JSON answer of our own, such as a record. */
export function jsonResponse(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${JSON.stringify(value)}\n`, {
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  });
}
