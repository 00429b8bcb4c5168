// Reads documents, comments and messages, and names each sentence that is too long and each word to avoid. `npm run lint` runs it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { passagesOfDocument } from './document.mjs';
import { countWords, LONGEST, sentencesOf } from './sentences.mjs';
import { passagesOfSource } from './source.mjs';
import { wordsToAvoid } from './words.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');
/** What a program writes, what was installed, and data. */
const SKIPPED = /^(?:node_modules|dist|results|content|data|coverage|\..*)$/;
/** The past stays as it was written, and a program writes the other one. */
const RECORDS = /^(?:CHANGELOG\.md|docs\/reference\/rpc\.md)/;
/** Tests name their cases in their own words. The lint's own files contain the words that it refuses. */
const UNREAD = /\.test\.|\.ci\.|\/testing|(?:^|\/)test\/|^bench\/src\/fixtures/;

/**
 * @param {string} path from the root, with slashes
 * @param {string} content
 * @returns {string[]} one line for each fault
 */
export function faultsOf(path, content) {
  const document = path.endsWith('.md');
  const passages = document ? passagesOfDocument(content) : passagesOfSource(path, content);
  return passages.flatMap(({ text, line }) =>
    sentencesOf(text).flatMap((sentence) => {
      const count = countWords(sentence);
      const faults = wordsToAvoid(sentence, document);
      if (count > LONGEST) faults.push(`${String(count)} words: ${sentence}`);
      return faults.map((fault) => `${path}:${String(line)} ${fault}`);
    }),
  );
}

const isRead = (/** @type {string} */ path) =>
  path.endsWith('.md')
    ? !RECORDS.test(path)
    : /\.(?:m?[jt]s|tsx)$/.test(path) && !/\.d\.m?ts$/.test(path) && !UNREAD.test(path);

/** @returns {string[]} paths of files that the lint reads, from the root */
function files(folder = ROOT) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : files(path);
    const name = relative(ROOT, path).replaceAll('\\', '/');
    return isRead(name) ? [name] : [];
  });
}

if (process.argv[1] === import.meta.filename) {
  const read = files();
  const faults = read.flatMap((path) => faultsOf(path, readFileSync(join(ROOT, path), 'utf8')));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) console.error(`${String(faults.length)} faults of language in ${String(read.length)} files`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
