/** Addresses of scripts that workers run. The policy of the page lets no other text be one. */

const policy = (
  globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };
  }
).trustedTypes?.createPolicy('quadrille', { createScriptURL: (url: string) => url });

/** What workers take for the address of a script that comes with the page. */
export const scriptAddress = (url: URL): string => policy?.createScriptURL(url.href) ?? url.href;
