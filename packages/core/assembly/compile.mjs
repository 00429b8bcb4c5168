/** Compiles nearest.ts. Run by itself it writes src/vectors/kernel-module.ts; a test sees that the two agree. */
import { fileURLToPath } from 'node:url';
import { compile, writeModule } from '../../formats/assembly/compile.mjs';

const MODULE = new URL('../src/vectors/kernel-module.ts', import.meta.url);

/** The WebAssembly module. */
export const compileNearest = () => compile(new URL('nearest.ts', import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeModule(
    await compileNearest(),
    MODULE,
    'KERNEL_MODULE',
    'Made of assembly/nearest.ts by `npm run nearest`',
  );
