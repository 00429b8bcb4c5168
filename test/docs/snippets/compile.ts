/** Checks and compiles all programs of the documents at once, as strict TypeScript of an application. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  skipLibCheck: true,
  allowJs: true,
  checkJs: false,
  lib: [
    'lib.es2023.d.ts',
    'lib.dom.d.ts',
    'lib.dom.iterable.d.ts',
    'lib.dom.asynciterable.d.ts',
    'lib.esnext.disposable.d.ts',
  ],
  types: ['node'],
};

export interface Program {
  /** Path of the source that is written, with the extension `.mts`. */
  readonly file: string;
  readonly code: string;
  readonly emit: boolean;
}

/** The errors of each program, by its file. Writes the JavaScript beside it. */
export function compile(folder: string, programs: readonly Program[]): ReadonlyMap<string, string[]> {
  for (const { file, code } of programs) writeFileSync(file, code);
  const options = { ...OPTIONS, typeRoots: [join(folder, 'node_modules/@types')] };
  const program = ts.createProgram({ rootNames: programs.map(({ file }) => file), options });
  const errors = new Map<string, string[]>();
  for (const { file, emit } of programs) {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    errors.set(
      file,
      found.map(({ messageText, start }) => {
        const at =
          source === undefined || start === undefined ? '' : source.getLineAndCharacterOfPosition(start).line + 1;
        return `${String(at)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      }),
    );
    if (emit) program.emit(source);
  }
  return errors;
}
