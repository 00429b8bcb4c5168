/**
 * Writes the documents that the tool `docs_search` of `quadrille mcp` finds, packed: of each page its title, of each section its heading and
 * how it begins.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const DOCS = join(import.meta.dirname, '../../docs');
const TO = join(import.meta.dirname, 'dist/documents.json.br');
/** Of a section. With it the file has less than 100 kB. */
const CHARACTERS = 600;

/** A text without what only a page needs. */
const plain = (text) =>
  text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/\]\((?!https?:)[^)]*\)/g, ']')
    .replaceAll(/-{4,}/g, '---')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();

/** The lines that begin a section. A line of a shell that begins so is within a fence. */
function sectionsOf(text) {
  const sections = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : /^#{1,3} (.+)/.exec(line)?.[1];
    if (heading !== undefined) sections.push({ heading, text: '' });
    else if (sections.length > 0) sections.at(-1).text += `${line}\n`;
  }
  return sections.map(({ heading, text: body }) => [heading, plain(body).slice(0, CHARACTERS)]);
}

const names = readdirSync(DOCS, { recursive: true })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.md') && !/^(?:decisions\/|README)/.test(name));
const pages = names.toSorted().map((name) => [name, ...sectionsOf(readFileSync(join(DOCS, name), 'utf8'))]);
mkdirSync(join(TO, '..'), { recursive: true });
writeFileSync(TO, brotliCompressSync(JSON.stringify(pages)));
