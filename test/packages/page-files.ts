/** The files that a page of the documents shows: each code block with `file="NAME"` behind its language. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const PAGES = resolve(import.meta.dirname, '../../docs/how-to');
const FILE = /^```\w+ file="([^"]+)"\n([^]*?\n)```$/gm;

/** Writes the files of a page into a folder. */
export async function writePageFiles(page: string, folder: string): Promise<void> {
  const text = await readFile(join(PAGES, page), 'utf8');
  for (const [, name = '', content = ''] of text.matchAll(FILE)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** The code of the blocks in this language, in their order. */
export async function codeBlocks(page: string, language: string): Promise<string[]> {
  const text = await readFile(join(PAGES, page), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}(?: .*)?\\n([^]*?\\n)\`\`\`$`, 'gm'));
  return [...blocks].map(([, code = '']) => code);
}
