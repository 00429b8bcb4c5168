/**
 * The comments of the public interface: what they say of errors is what docs/reference/errors.md says, and nothing is left out. That each
 * member has a comment is checked by `npm run docs:check` (TypeDoc).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGES = join(ROOT, 'packages');
const API = join(PACKAGES, 'quadrille/src/api');

/** Codes by the class of their error, from the table of errors. */
const table = new Map<string, Set<string>>();
for (const section of readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8').split(/^## /m)) {
  const isOfServers = section.startsWith('Codes of the server only');
  const name = isOfServers ? 'HttpError' : /^.*\(`(\w+Error)`\)/.exec(section)?.[1];
  if (name !== undefined) table.set(name, new Set([...section.matchAll(/^\| `(\w+)`/gm)].map(([, code = '']) => code)));
}

const sources = readdirSync(PACKAGES).flatMap((name) =>
  readdirSync(join(PACKAGES, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|^testing\//.test(path))
    .map((path) => ({ path: `${name}/src/${path}`, text: readFileSync(join(PACKAGES, name, 'src', path), 'utf8') })),
);

/** The classes and codes of a comment's `@throws`. */
function thrown(comment: string): (readonly [name: string, code: string])[] {
  const tags = comment.replaceAll(/^\s*\* ?/gm, '').split(/(?=@(?:throws|param|returns|example|since)\b)/);
  return tags
    .filter((tag) => tag.startsWith('@throws'))
    .flatMap((tag) => tag.split(/(?=\b\w+Error\b)/))
    .flatMap((part) => {
      const name = /^\w+Error\b/.exec(part)?.[0];
      const codes = [...part.matchAll(/`([A-Z]+(?:_[A-Z]+)+|ABORTED|CHECKSUM|UNSUPPORTED|FORBIDDEN)`/g)];
      return name === undefined ? [] : codes.map(([, code = '']) => [name, code] as const);
    });
}

test('the table has all classes', () => {
  expect(table.size).toBeGreaterThan(10);
  expect(table.get('ParseError')).toEqual(new Set(['RDF_SYNTAX', 'SPARQL_SYNTAX', 'TEXT_SYNTAX']));
});

test('each code behind @throws is one of its class', () => {
  const wrong: string[] = [];
  for (const { path, text } of sources) {
    for (const [comment] of text.matchAll(/\/\*\*[^]*?\*\//g)) {
      for (const [name, code] of thrown(comment))
        // A client passes on the codes of every class.
        if (name !== 'ClientError' && !table.get(name)?.has(code)) wrong.push(`${path}: ${name} \`${code}\``);
    }
  }
  expect(wrong).toEqual([]);
});

interface Member {
  readonly name: string;
  readonly type: string;
  readonly parameters: string;
  readonly comment: string;
}
interface Interface {
  readonly comment: string;
  readonly bases: readonly string[];
  readonly members: readonly Member[];
}

const interfaces = new Map<string, Interface>();
for (const file of readdirSync(API)) {
  const source = ts.createSourceFile(file, readFileSync(join(API, file), 'utf8'), ts.ScriptTarget.ES2022, true);
  const commentOf = (node: ts.Node): string =>
    ts
      .getJSDocCommentsAndTags(node)
      .map((comment) => comment.getText())
      .join('\n');
  source.forEachChild((node) => {
    if (!ts.isInterfaceDeclaration(node)) return;
    const members = node.members.flatMap((member): Member[] => {
      const isCall = ts.isMethodSignature(member);
      if (!isCall && !ts.isPropertySignature(member)) return [];
      const parameters = isCall ? member.parameters.map((parameter) => parameter.getText()).join(', ') : '';
      return [
        { name: member.name.getText(), type: member.type?.getText() ?? '', parameters, comment: commentOf(member) },
      ];
    });
    const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types.map((type) => type.getText()));
    interfaces.set(node.name.text, { comment: commentOf(node), bases, members });
  });
}

const codesOf = (comment: string): string[] => thrown(comment).map(([, code]) => code);

/** The codes that a call names: its own, those of its interface, and those of the call to which it refers. */
function namedCodes(owner: Interface, { comment }: Member): ReadonlySet<string> {
  const refers = /throws what \{@link (\w+)\.(\w+)\} throws|The same as \{@link (\w+)\.(\w+)\}/.exec(comment);
  const [, type = refers?.[3], name = refers?.[4]] = refers ?? [];
  const other = interfaces.get(type ?? '');
  const found = other?.members.find((member) => member.name === name);
  const inherited = owner.bases.flatMap((base) => codesOf(interfaces.get(/^\w+/.exec(base)?.[0] ?? '')?.comment ?? ''));
  const referred = other === undefined || found === undefined ? [] : [...namedCodes(other, found)];
  return new Set([...codesOf(comment), ...codesOf(owner.comment), ...inherited, ...referred]);
}

const QUERY = [
  'SPARQL_SYNTAX',
  'INVALID_OPTION',
  'INVALID_TERM',
  'ABORTED',
  'QUERY_TIMEOUT',
  'QUERY_MEMORY',
  'UNKNOWN_FUNCTION',
];
const COMMIT = [
  'INVALID_OPTION',
  'INVALID_REF',
  'REVISION_NOT_FOUND',
  'REVISION_CONFLICT',
  'READ_ONLY',
  'STORAGE_FULL',
  'ABORTED',
];
/** What the table says of a kind of parameter or of call. */
const RULES: readonly (readonly [what: string, applies: (member: Member) => boolean, codes: readonly string[]])[] = [
  ['options', ({ parameters }) => /\boptions\?: (?!TaskOptions|RecordOptions)/.test(parameters), ['INVALID_OPTION']],
  ['a ref', ({ parameters }) => /: Ref\b/.test(parameters), ['INVALID_REF', 'REVISION_NOT_FOUND']],
  ['a pattern', ({ parameters }) => /\bQuadPattern\b/.test(parameters), ['INVALID_PATTERN']],
  ['a text', ({ parameters }) => /\bSparqlText\b/.test(parameters), ['SPARQL_SYNTAX']],
  [
    'a source',
    ({ parameters }) => /\bLoadSource\b/.test(parameters),
    ['INPUT_NOT_FOUND', 'RDF_SYNTAX', 'INVALID_OPTION'],
  ],
  ['a commit', ({ parameters }) => /\b(?:Commit|Load|Patch|Transaction|Import)Options\b/.test(parameters), COMMIT],
  [
    'a signal',
    ({ parameters }) => /\b(?:Read|Query|Log|Blame|History|Dump|Explain|Backup)Options\b/.test(parameters),
    ['ABORTED'],
  ],
  ['a query', ({ type }) => /^(?:SparqlCall|SelectCall)\b/.test(type), QUERY],
  ['an update', ({ type }) => type.includes('UpdateOptions'), COMMIT],
];

describe.each([...interfaces])('%s', (_, described) => {
  test('each call names the codes that its parameters can cause', () => {
    const missing = described.members.flatMap((member) => {
      const named = namedCodes(described, member);
      return RULES.filter(([, applies]) => applies(member)).flatMap(([what, , codes]) =>
        codes.filter((code) => !named.has(code)).map((code) => `${member.name}: ${code} (${what})`),
      );
    });
    expect(missing).toEqual([]);
  });
});

/** Codes that only servers and other packages cause. */
const ELSEWHERE = new Set([
  ...['AccessError', 'InvalidRecordError', 'RpcError', 'HttpError'].flatMap((name) =>
    Array.from(table.get(name) ?? []),
  ),
  'TOKEN_NOT_FOUND',
  'JOB_NOT_FOUND',
  'VIEW_NOT_FOUND',
  'QUERY_NOT_FOUND',
  'TRANSACTION_NOT_FOUND',
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_NOT_EMPTY',
  'TAG_NOT_FOUND',
  'INPUT_TIMEOUT',
  'SERVER_DUPLICATE',
  'QUOTA_EXCEEDED',
  'UNSUPPORTED_FORMAT',
  // Only in reports of verifyChain.
  'CHAIN_BROKEN',
  'SIGNATURE_INVALID',
  'SIGNATURE_MISSING',
  // No version trims its history yet.
  'REVISION_TRIMMED',
]);

test('each code that the library can cause is named by one of its calls', () => {
  const library = sources.filter(({ path }) => path.startsWith('quadrille/src/'));
  const named = new Set(
    library.flatMap(({ text }) => [...text.matchAll(/\/\*\*[^]*?\*\//g)].flatMap(([c]) => codesOf(c))),
  );
  const all = [...table.values()].flatMap((codes) => [...codes]);
  expect(all.filter((code) => !named.has(code) && !ELSEWHERE.has(code))).toEqual([]);
});

describe('the exports of quadrille', () => {
  const index = readFileSync(join(PACKAGES, 'quadrille/src/index.ts'), 'utf8');
  const values = [...index.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  const exported = values.filter((name) => name !== '');
  /** The comment in front of the declaration of a name. */
  const commentOf = (name: string): string => {
    const declaration = new RegExp(
      `(\\/\\*\\*(?:(?!\\*\\/)[^])*\\*\\/)\\nexport (?:async )?(?:abstract )?(?:class|function\\*?|const) ${name}\\b`,
    );
    const inPackages = sources.filter(({ path }) => /^(?:quadrille|model|sparql|formats)\//.test(path));
    return inPackages.map(({ text }) => declaration.exec(text)?.[1]).find((found) => found !== undefined) ?? '';
  };

  test.each(exported)('%s has an example, and says since when it exists', (name) => {
    expect(commentOf(name)).toMatch(/@example\n \* ```ts\n[^]*@since \d/);
  });

  test('so do its types', () => {
    const without = readdirSync(API).flatMap((file) => {
      const text = readFileSync(join(API, file), 'utf8');
      const declared = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name);
      return declared.filter(
        (name) => !new RegExp(`@since [\\d.]+\\n \\*/\\nexport (?:interface|type) ${name}\\b`).test(text),
      );
    });
    expect(without).toEqual([]);
  });
});
