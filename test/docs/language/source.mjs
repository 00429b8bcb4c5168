/** The running text of a source file: its comments, and the texts that people read, such as errors and help. */
import ts from 'typescript';

/** A text of fewer words is a name or a fragment. */
const FEWEST_WORDS = 5;
/** Tags whose text is a name, a value or code. */
const CODE_TAGS = /^@(?:example|see|type|typedef|template|since|internal|packageDocumentation)\b/;

/**
 * @param {string} path decides between TypeScript and JavaScript
 * @param {string} source
 * @returns {{ text: string, line: number }[]}
 */
export function passagesOfSource(path, source) {
  const file = ts.createSourceFile(path, source, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  const lineOf = (/** @type {number} */ at) => file.getLineAndCharacterOfPosition(at).line + 1;
  return [...commentsOf(source, file), ...messagesOf(file)].map(({ text, at }) => ({ text, line: lineOf(at) }));
}

/** Comments stand before and behind nodes. Line comments that follow one another are one text. */
function commentsOf(source, file) {
  /** @type {Map<number, ts.CommentRange>} */
  const ranges = new Map();
  const add = (/** @type {readonly ts.CommentRange[] | undefined} */ found) => {
    for (const range of found ?? []) ranges.set(range.pos, range);
  };
  const walk = (/** @type {ts.Node} */ node) => {
    add(ts.getLeadingCommentRanges(source, node.pos));
    add(ts.getTrailingCommentRanges(source, node.end));
    ts.forEachChild(node, walk);
  };
  walk(file);
  return joined(
    [...ranges.values()].sort((a, b) => a.pos - b.pos),
    source,
  ).flatMap(({ text, at }) => blocksOf(text).map((block) => ({ text: block, at })));
}

function joined(ranges, source) {
  /** @type {{ text: string, at: number, end: number, line: boolean }[]} */
  const found = [];
  for (const { pos, end, kind } of ranges) {
    const raw = source.slice(pos, end);
    const line = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const text = line
      ? raw.replace(/^\/+\s?/, '')
      : raw
          .replace(/^\/\*+/, '')
          .replace(/\*+\/$/, '')
          .replaceAll(/^[ \t]*\*[ \t]?/gm, '');
    const before = found.at(-1);
    if (
      line &&
      before?.line === true &&
      /^\s*$/.test(source.slice(before.end, pos)) &&
      !/\n\s*\n/.test(source.slice(before.end, pos))
    ) {
      before.text += `\n${text}`;
      before.end = end;
    } else found.push({ text, at: pos, end, line });
  }
  return found;
}

/** Paragraphs, items of lists and tags of one comment. Blocks of code and rows of tables are left out. */
function blocksOf(comment) {
  return (
    comment
      .replaceAll(/```[^]*?```/g, '')
      .replaceAll(/^(?:oxlint|eslint|prettier|@ts|#)\S*.*$/gm, '')
      .split(
        /\n\s*\n|\n(?=\s*(?:[-*•] |\d+\. |@\w|\|))|(?<=\s)(?=@(?:throws|returns|param|defaultValue|since|example)\b)/,
      )
      .filter((block) => !CODE_TAGS.test(block.trim()) && !block.trim().startsWith('|') && !/^ {2}/.test(block))
      .map((block) => plain(block.replace(/^\s*(?:[-*•]|\d+\.)\s+/, '')))
      // Codes of errors are a list, of which each has its own condition.
      .map((block) => (block.startsWith('@throws') ? block.replaceAll(', code', '; code') : block))
      .filter((block) => block !== '')
  );
}

const plain = (/** @type {string} */ text) =>
  text
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/\{@link\s+([^}]*)\}/g, 'code')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** String literals that have words of a sentence. Parts of a template that are computed count as one word. */
function messagesOf(file) {
  /** @type {{ text: string, at: number }[]} */
  const found = [];
  const walk = (/** @type {ts.Node} */ node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTaggedTemplateExpression(node)) return;
    const text = textOf(node);
    if (text !== undefined) {
      if (isProse(text))
        for (const part of text.split('\n')) found.push({ text: plain(part), at: node.getStart(file) });
      if (!ts.isTemplateExpression(node)) return;
    }
    ts.forEachChild(node, walk);
  };
  walk(file);
  return found;
}

function textOf(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => `code${span.literal.text}`).join('');
  return undefined;
}

/** Queries, documents, addresses and styles have marks that sentences lack. */
const isProse = (/** @type {string} */ text) =>
  text.split(/\s+/).filter((word) => /^[\p{L}'’,.;:()"“”-]+$/u.test(word)).length >= FEWEST_WORDS &&
  !/[{}<>]\s|=>|\?\w+ |^\s*(?:SELECT|PREFIX|INSERT|DELETE|ASK|CONSTRUCT)\b/.test(text);
