/** The lint of language (`npm run lint`) finds the faults that it is for, at their lines, and leaves code alone. */
import { describe, expect, test } from 'vitest';
import { faultsOf } from './language/lint.mjs';

const long = Array.from({ length: 26 }, (_, index) => `word${String(index)}`).join(' ');

describe('documents', () => {
  test('long sentences, words to avoid and the past', () => {
    expect(faultsOf('docs/x.md', `# T\n\n${long}.\n\nIt simply works.\n\nIt is no longer slow.\n`)).toEqual([
      `docs/x.md:3 26 words: ${long}.`,
      'docs/x.md:5 "simply": write nothing: the word says nothing',
      'docs/x.md:7 "no longer": write what is so now; the changelog has the past',
    ]);
  });
  test('cells of tables are read, code is one word', () => {
    expect(faultsOf('docs/x.md', '| a |\n| --- |\n| and so on |\n')).toHaveLength(1);
    expect(faultsOf('docs/x.md', `Call \`simply(${long})\`.\n\n\`\`\`ts\n// ${long} simply\n\`\`\`\n`)).toEqual([]);
  });
});

describe('sources', () => {
  test.each([
    ['a comment of a member', `interface A {\n  /** ${long}. */\n  readonly a: string;\n}`, 2],
    ['lines of a comment that follow one another', `// ${long.slice(0, 60)}\n// ${long.slice(60)}.\nf();`, 1],
    ['a text of an error', `throw new TypeError(\`the file \${name} is dear to read, so give it up\`);`, 1],
    ['a help text', `program.description('Loads files, directories and the like into a store');`, 1],
  ])('%s', (_, source, line) => {
    const faults = faultsOf('packages/x/src/x.ts', source);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^packages/x/src/x\\.ts:${String(line)} `));
  });
  test.each([
    ['examples', `/**\n * Reads.\n *\n * \`\`\`ts\n * simply(1); // ${long}\n * \`\`\`\n */\nf();`],
    ['tables in comments', `/**\n * Ids.\n *\n *   0   ${long}\n */\nf();`],
    ['queries', `run('SELECT * WHERE { ?s ?p ?o and so on } ');`],
    ['names', `import 'simply'; const simply = 'simply';`],
    ['lists of codes', `/** @throws StateError ${Array.from({ length: 14 }, () => '`A` if b').join(', ')} */\nf();`],
  ])('not %s', (_, source) => {
    expect(faultsOf('packages/x/src/x.ts', source)).toEqual([]);
  });
});
