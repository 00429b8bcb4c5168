/** What the tests use of xmlrpc, which comes without types. */
declare module 'xmlrpc' {
  interface Options {
    readonly url: string;
    readonly basic_auth?: { readonly user: string; readonly pass: string };
  }
  interface Client {
    methodCall(
      method: string,
      params: readonly unknown[],
      done: (error: (Error & { readonly faultCode?: number }) | null, value: unknown) => void,
    ): void;
  }
  export function createClient(options: Options): Client;
}
