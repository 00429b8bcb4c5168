/** Calls as text in both protocols. */
export const JSON_TYPE = 'application/json';
export const XML_TYPE = 'text/xml';

export function jsonCall(method: unknown, params?: unknown, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export const xmlCall = (method: string, ...values: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><methodCall><methodName>${method}</methodName>` +
  `<params>${values.map((value) => `<param><value>${value}</value></param>`).join('')}</params></methodCall>`;

/** The number in a JSON-RPC error or a fault; undefined where the call succeeded. */
export function errorCode(body: string): number | undefined {
  if (body.startsWith('<')) {
    const fault = /<fault>.*<name>faultCode<\/name><value><int>(-?\d+)<\/int>/su.exec(body);
    return fault === null ? undefined : Number(fault[1]);
  }
  return (JSON.parse(body) as { error?: { code: number } }).error?.code;
}
