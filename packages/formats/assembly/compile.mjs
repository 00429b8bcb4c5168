/** Compiles AssemblyScript. Run by itself it writes src/scanner/scanner-module.ts; a test sees that it agrees with scanner.ts. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';

const MODULE = new URL('../src/scanner/scanner-module.ts', import.meta.url);
const WIDTH = 110;

/** The WebAssembly module. */
export const compileScanner = () => compile(new URL('scanner.ts', import.meta.url));

/** The WebAssembly module of a file, with vector instructions. */
export async function compile(source) {
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--enable', 'bulk-memory'];
  const name = source.pathname.split('/').at(-1);
  let binary;
  const { error, stderr } = await main([name, '--outFile', 'module.wasm', ...options], {
    readFile: (other) => readFile(new URL(other, source), 'utf8').catch(() => null),
    writeFile: (_, contents) => void (binary = contents),
    listFiles: () => [],
  });
  if (error) throw new Error(`${name} does not compile: ${stderr.toString()}`);
  return binary;
}

/** Writes a module as a file of TypeScript, which exports it as base64. */
export async function writeModule(binary, target, name, doc) {
  const text = Buffer.from(binary).toString('base64');
  const lines = text.match(new RegExp(`.{1,${WIDTH}}`, 'g')).map((line) => `  '${line}',`);
  await writeFile(
    target,
    `/** ${doc}: WebAssembly, as base64. */\nexport const ${name} = [\n${lines.join('\n')}\n].join('');\n`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeModule(
    await compileScanner(),
    MODULE,
    'SCANNER_MODULE',
    'Made of assembly/scanner.ts by `npm run scanner`',
  );
