/** Recognises common mistakes by the tokens around the place where the parser stopped. */
import { nearestWord } from '@quadrille/model';
import { AFTER_GROUP, AFTER_SELECT, FORMS, FUNCTION_NAMES, IN_GROUP } from './known-words.js';
import { openingOf, type Surroundings, type Token } from './surroundings.js';
import { isTerm, isWord, placeOf, quoted, type Hint, type Place } from './hint-place.js';

/** The whole text of the error, where the mistake is one of those known here. */
export function hintFor(surroundings: Surroundings, where: (token: Token) => string): string | undefined {
  const place = placeOf(surroundings, where);
  for (const hint of HINTS) {
    const text = hint(place);
    if (text !== undefined) return text;
  }
  return undefined;
}

const HINTS: readonly Hint[] = [
  openString,
  prologue,
  emptySelect,
  keyword,
  selectClause,
  missingNumberOrKey,
  missingParentheses,
  missingBraces,
  bindWithoutAs,
  wrongOperator,
  afterQuery,
  orderOfClauses,
  data,
  cutTerm,
  unknownWord,
  missingDot,
  wrongBracket,
  missingTerm,
  unclosed,
];

function openString({ found, foundText }: Place): string | undefined {
  if (found?.kind !== 'symbol' || (foundText !== '"' && foundText !== "'")) return undefined;
  return 'a string is not closed, or has an illegal escape';
}

function prologue({ last, lastWord, before, found, foundText }: Place): string | undefined {
  if (['@PREFIX', '@BASE'].includes(foundText.toUpperCase())) {
    return `${foundText} is Turtle; SPARQL writes ${foundText.slice(1).toUpperCase()}, without '@' and without '.' at the end`;
  }
  if (lastWord === 'PREFIX' && found?.kind === 'word') return `a prefix ends with a colon: PREFIX ${foundText}:`;
  const declared = last?.kind === 'iri' && (isWord(before.at(-2), 'BASE') || isWord(before.at(-3), 'PREFIX'));
  return declared && (foundText === ';' || foundText === '.')
    ? `a declaration of a prefix or base ends without '${foundText}'`
    : undefined;
}

function emptySelect({ lastWord, foundText, found }: Place): string | undefined {
  if (!['SELECT', 'DISTINCT', 'REDUCED'].includes(lastWord)) return undefined;
  if (foundText !== '{' && !isWord(found, 'WHERE', 'FROM')) return undefined;
  return `SELECT needs its columns before '${foundText}': variables, or * for all`;
}

/** A keyword or a function's name where a variable may be meant. */
function keyword({ inSelectClause, inner, found, next, lastWord, foundText }: Place): string | undefined {
  if (FUNCTION_NAMES.includes(lastWord) && foundText !== '(') {
    return `${lastWord} needs its arguments in parentheses; a variable of that name is written ?${lastWord.toLowerCase()}`;
  }
  if (!inSelectClause || inner === '(' || found?.kind !== 'word' || isWord(found, 'AS')) return undefined;
  if (next?.text === '(') return undefined;
  const meant = nearestWord(foundText, AFTER_SELECT);
  if (meant !== undefined && meant !== foundText.toUpperCase()) return undefined;
  return `unexpected ${quoted(found)}; a variable is written ?${foundText}`;
}

function selectClause({ inSelectClause, inner, last, found, foundText, next }: Place): string | undefined {
  if (!inSelectClause) return undefined;
  if (isWord(found, 'AS') && inner !== '(') {
    return `a column with AS stands in parentheses: (${last?.kind === 'variable' ? last.text : '…'} AS ${next?.text ?? '?name'})`;
  }
  if (foundText === ',' && inner !== '(') return "the columns of SELECT are separated by blanks, not by ','";
  if (last?.text === '*' && inner !== '(' && found?.kind === 'variable') return 'SELECT * has no further columns';
  if (foundText === ')' && inner === '(') return 'an expression in SELECT needs a name: (… AS ?name)';
  return undefined;
}

function missingNumberOrKey({ before, lastWord, foundText, found }: Place): string | undefined {
  if (lastWord === 'LIMIT' || lastWord === 'OFFSET') return `${lastWord} needs a number after it`;
  const clause = before.at(-2)?.text.toUpperCase() ?? '';
  if (lastWord === 'BY' && (clause === 'ORDER' || clause === 'GROUP')) {
    const wrong = found === undefined ? '' : `, not ${quoted(found)}`;
    return clause === 'ORDER'
      ? `ORDER BY needs a key, such as ?x or DESC(?x)${wrong}`
      : `GROUP BY needs a variable or an expression in parentheses${wrong}`;
  }
  if ((lastWord === 'ORDER' || lastWord === 'GROUP') && foundText !== '') return `${lastWord} needs BY after it`;
  return undefined;
}

function missingParentheses({ lastWord, found, foundText }: Place): string | undefined {
  if (foundText === '(') return undefined;
  if (lastWord === 'ASC' || lastWord === 'DESC') return `${lastWord} needs its key in parentheses: ${lastWord}(?x)`;
  if (found === undefined) return undefined;
  if (lastWord === 'FILTER' || lastWord === 'HAVING') {
    return `${lastWord} needs its condition in parentheses: ${lastWord}(…)`;
  }
  return lastWord === 'BIND' ? 'BIND needs parentheses: BIND(… AS ?name)' : undefined;
}

function missingBraces({ lastWord, found, foundText }: Place): string | undefined {
  if (foundText === '{' || found === undefined) return undefined;
  if (['OPTIONAL', 'UNION', 'MINUS', 'EXISTS'].includes(lastWord)) return `${lastWord} needs a group in braces: { … }`;
  if (!['WHERE', 'ASK'].includes(lastWord)) return undefined;
  return `the pattern after ${lastWord} stands in braces: ${lastWord} { … }`;
}

function bindWithoutAs({ open, before, foundText }: Place): string | undefined {
  const inner = open.at(-1);
  if (inner?.text !== '(' || foundText !== ')') return undefined;
  const index = before.findIndex(({ offset }) => offset === inner.offset);
  return index > 0 && isWord(before[index - 1], 'BIND') ? 'BIND needs AS: BIND(… AS ?name)' : undefined;
}

function wrongOperator({ inner, last, found, foundText }: Place): string | undefined {
  if (last?.text === '=' && foundText === '=') return "equality is written with one '='";
  if (inner === '(' && isWord(found, 'AND', 'OR')) {
    return `conditions are joined by ${foundText.toUpperCase() === 'AND' ? '&&' : '||'}, not ${foundText}`;
  }
  if (inner !== '{' || found?.kind !== 'symbol' || !['=', '!=', '<', '>', '<=', '>='].includes(foundText))
    return undefined;
  return `unexpected '${foundText}': a comparison stands in FILTER(…), and a value is given a name by BIND(… AS ?name)`;
}

function afterQuery({ open, heads, foundText, last }: Place): string | undefined {
  if (open.length > 0 || last?.text !== '}') return undefined;
  const isQuery = heads.some((word) => ['SELECT', 'CONSTRUCT', 'ASK', 'DESCRIBE'].includes(word));
  if (foundText === ';' && isQuery) return "a query ends without ';', which only separates updates";
  if (openingOf(foundText) !== undefined) return `unexpected '${foundText}': nothing is open that it could close`;
  const form = heads.at(-1);
  if (foundText === '' && (form === 'INSERT' || form === 'DELETE')) {
    return `${form} { … } needs WHERE { … } after it; what has no variables goes into ${form} DATA { … }`;
  }
  if (foundText === '' && form === 'CONSTRUCT') return 'the template of CONSTRUCT needs WHERE { … } after it';
  return undefined;
}

function orderOfClauses({ open, heads, found }: Place): string | undefined {
  if (open.length > 0 || !isWord(found, 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'OFFSET')) return undefined;
  if (!heads.some((head) => ['GROUP', 'HAVING', 'ORDER', 'LIMIT', 'OFFSET', 'VALUES'].includes(head))) return undefined;
  return `unexpected '${found?.text}': the order is GROUP BY, HAVING, ORDER BY, LIMIT and OFFSET, VALUES`;
}

/** An IRI or a string that is cut in two by what may not stand in it. */
function cutTerm({ before, last, found }: Place): string | undefined {
  if (found?.kind !== 'word') return undefined;
  if (last?.kind === 'string' && last.offset + last.text.length === found.offset) {
    return `the string ends before ${quoted(found)}: a quote within it is written \\${last.text[0] ?? ''}`;
  }
  const opening = before.findLastIndex(({ text }) => text === '<');
  const content = before[opening + 1];
  if (opening === -1 || before.length - opening > 8 || content?.offset !== (before[opening]?.offset ?? 0) + 1) {
    return undefined;
  }
  return `unexpected ${quoted(found)}: an IRI in <…> holds no blanks`;
}

function data({ heads, found }: Place): string | undefined {
  if (heads.at(-1) !== 'DATA' || found?.kind !== 'variable') return undefined;
  return `unexpected ${quoted(found)}: ${heads.at(-2) ?? 'INSERT'} DATA holds no variables`;
}

function unknownWord({ found, foundText, next, before, open, inSelectClause }: Place): string | undefined {
  if (found?.kind !== 'word') return undefined;
  const upper = foundText.toUpperCase();
  const isFunction =
    next?.text === '(' &&
    (open.at(-1)?.text === '(' || inSelectClause || isWord(before.at(-1), 'FILTER', 'BY', 'HAVING'));
  const here =
    before.length === 0
      ? FORMS
      : inSelectClause
        ? AFTER_SELECT
        : open.length > 0
          ? IN_GROUP
          : [...AFTER_GROUP, ...FORMS];
  const candidates = isFunction ? FUNCTION_NAMES : here;
  const meant = nearestWord(foundText, candidates);
  const unexpected = isFunction ? `unknown function ${quoted(found)}` : `unexpected ${quoted(found)}`;
  if (meant !== undefined && meant !== upper) return `${unexpected}, did you mean ${meant}?`;
  if (before.length === 0 && meant === undefined) {
    return `${unexpected}; a request begins with SELECT, CONSTRUCT, ASK, DESCRIBE, INSERT, DELETE or a declaration of prefixes`;
  }
  if (candidates.includes(upper) || [...FORMS, ...AFTER_SELECT, ...IN_GROUP, ...AFTER_GROUP].includes(upper))
    return undefined;
  if (isFunction) return FUNCTION_NAMES.includes(upper) ? undefined : unexpected;
  return open.length > 0 && !FUNCTION_NAMES.includes(upper)
    ? `${unexpected}; a variable is written ?${foundText}, an IRI <…> or prefix:${foundText}, a string "${foundText}"`
    : undefined;
}

function missingDot({ inner, last, found, before }: Place): string | undefined {
  if (inner !== '{' || found === undefined || !(isTerm(found) || found.text === '[')) return undefined;
  const ended = isTerm(last) || last?.text === ']' || last?.text === ')' || last?.kind === 'tag';
  // Two terms in a row are the beginning of a triple; only after three of them a dot can be missing.
  return ended && termsInARow(before) >= 3 ? `a '.' is missing before ${quoted(found)}` : undefined;
}

function missingTerm({ inner, last, foundText, before }: Place): string | undefined {
  if (inner !== '{' || (foundText !== '}' && foundText !== '.')) return undefined;
  if (last?.text === ',') return `an object is missing between ',' and '${foundText}'`;
  const count = termsInARow(before);
  if (count !== 1 && count !== 2) return undefined;
  return `a triple ends before its ${count === 1 ? 'predicate and object' : 'object'}: unexpected '${foundText}'`;
}

function termsInARow(before: readonly Token[]): number {
  let count = 0;
  for (const token of before.toReversed()) {
    if (isTerm(token) || isWord(token, 'A', 'TRUE', 'FALSE') || token.text === ']' || token.text === ')') count++;
    else if (token.kind === 'tag' || token.text === '^^') continue;
    else if (token.text === ';') return count + 1;
    else if (token.text === ',') return count + 2;
    else return count;
  }
  return count;
}

function wrongBracket({ open, foundText, where }: Place): string | undefined {
  const wanted = openingOf(foundText);
  const inner = open.at(-1);
  if (wanted === undefined) return undefined;
  if (inner === undefined) return `unexpected '${foundText}': nothing is open that it could close`;
  if (inner.text === wanted) return undefined;
  return `unexpected '${foundText}': the '${inner.text}' of ${where(inner)} is still open`;
}

function unclosed({ open, found, where }: Place): string | undefined {
  const inner = open.at(-1);
  if (found !== undefined || inner === undefined) return undefined;
  return `the request ends too early: the '${inner.text}' of ${where(inner)} is still open`;
}
