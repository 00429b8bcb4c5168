/** A real Chromium (Debian's package, or `CHROMIUM_PATH`), without a window, and a server for its pages. */
import { accessSync, constants } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext } from 'playwright-core';

/** The first draws no window that nobody sees: tests take two thirds of the time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The program; undefined where there is none. */
export const CHROMIUM = process.env['CHROMIUM_PATH'] || inPath();
export const WITHOUT_CHROMIUM = CHROMIUM === undefined ? ' (skipped: no Chromium; apt-get install chromium)' : '';

function inPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A browser over a profile directory, which keeps what its pages store. */
export function launch(profile: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM!,
    headless: true,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.ttl': 'text/turtle',
  '.srj': 'application/sparql-results+json',
  '.wasm': 'application/wasm',
};

export interface Site {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves files by path. `/<name>.html` that is not among them is a page with the script `/<name>.js` alone. */
export async function serve(files: ReadonlyMap<string, Uint8Array>): Promise<Site> {
  const server = createServer(({ url = '/' }, response) => {
    const path = url === '/' ? 'index.html' : url.slice(1);
    const script = `${path.replace(/\.html$/, '')}.js`;
    const page = `<!doctype html><title>test</title><script type="module" src="/${script}"></script>`;
    const body = files.get(path) ?? (path.endsWith('.html') && files.has(script) ? page : undefined);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
