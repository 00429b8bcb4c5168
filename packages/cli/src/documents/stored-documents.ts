/** The documents of this version, which agents search. */
import { readFile } from 'node:fs/promises';

/** As `documents.mjs` has written them beside the bundle of the command. */
export const storedDocuments = (): Promise<Uint8Array> => readFile(new URL('../documents.json.br', import.meta.url));
