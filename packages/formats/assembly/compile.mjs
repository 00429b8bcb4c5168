/** Compiles scanner.ts. Run by itself it writes src/scanner-module.ts; a test sees that the two agree. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';

const SOURCE = 'scanner.ts';
const MODULE = new URL('../src/scanner/scanner-module.ts', import.meta.url);
const WIDTH = 110;

/** The WebAssembly module. */
export async function compileScanner() {
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--enable', 'bulk-memory'];
  let binary;
  const { error, stderr } = await main([SOURCE, '--outFile', 'scanner.wasm', ...options], {
    readFile: (name) => readFile(new URL(name, import.meta.url), 'utf8').catch(() => null),
    writeFile: (_, contents) => void (binary = contents),
    listFiles: () => [],
  });
  if (error) throw new Error(`${SOURCE} does not compile: ${stderr.toString()}`);
  return binary;
}

async function writeModule() {
  const text = Buffer.from(await compileScanner()).toString('base64');
  const lines = text.match(new RegExp(`.{1,${WIDTH}}`, 'g')).map((line) => `  '${line}',`);
  const doc = '/** Made of assembly/scanner.ts by `npm run scanner`: WebAssembly, as base64. */';
  await writeFile(MODULE, `${doc}\nexport const SCANNER_MODULE = [\n${lines.join('\n')}\n].join('');\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeModule();
