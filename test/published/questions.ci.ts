/** Questions that people ask have the same answers of a published store, and a second time nothing is fetched for them. */
import { open } from 'quadrille';
import { describe, expect, it } from 'vitest';
import { dataOf, QUESTION_SETS, textsOf } from '../../bench/src/ordinary/measure-questions.js';
import { AnswerDigest } from '../../bench/src/sparql/answer.js';
import { runQuery } from '../../bench/src/stores/open-quadrille.js';
import { publication } from './publication.js';

/** Entities of each set. */
const SIZE = 300;
/** As many sets as QUADRILLE_QUESTIONS says. */
const SETS = Number(process.env['QUADRILLE_QUESTIONS'] ?? 2);

describe.each(QUESTION_SETS.slice(0, SETS))('the questions about the $name', (set) => {
  it('have the answers of the store', async () => {
    await using source = await open(':memory:');
    const stored = await source.repository('ordinary/test', { create: true });
    await stored.load({ text: dataOf(set, 2, SIZE) }, { format: 'nquads' });
    const { host, close } = await publication(source);
    try {
      await using database = await open(host.url, { maxBytes: Infinity });
      const published = await database.repository('ordinary/test');
      const differing: string[] = [];
      for (const [name, text] of textsOf(set)) {
        const answers = await Promise.all(
          [stored, published].map(async (repository) => {
            const digest = new AnswerDigest();
            return `${await runQuery(repository, text, digest)} rows (${digest.value})`;
          }),
        );
        if (answers[0] !== answers[1]) differing.push(`${name}: ${answers[1]}, the store ${answers[0]}\n${text}`);
      }
      expect(differing).toEqual([]);
      host.requests.length = 0;
      for (const [, text] of textsOf(set)) await runQuery(published, text, new AnswerDigest());
      expect(host.requests).toEqual([]);
    } finally {
      await close();
    }
  });
});
