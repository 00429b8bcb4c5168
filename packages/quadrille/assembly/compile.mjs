/** Compiles line-hash.ts. Run by itself it writes src/integrity/line-hash-module.ts; a test sees that the two agree. */
import { fileURLToPath } from 'node:url';
import { compile, writeModule } from '../../formats/assembly/compile.mjs';

const MODULE = new URL('../src/integrity/line-hash-module.ts', import.meta.url);

/** The WebAssembly module. */
export const compileLineHash = () => compile(new URL('line-hash.ts', import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeModule(
    await compileLineHash(),
    MODULE,
    'LINE_HASH_MODULE',
    'Made of assembly/line-hash.ts by `npm run line-hash`',
  );
