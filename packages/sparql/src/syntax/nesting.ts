/** Finds how deep a request is nested before it is parsed: the parser is recursive, and deep nesting would overflow the stack. */

const OPENING = new Set(['(', '{', '[']);
const CLOSING = new Set([')', '}', ']']);
const IRI = /<[^<>"{}|^`\\\u0000-\u0020]*>/y;

/** The offset of the bracket that goes deeper than `limit`, outside strings, IRIs and comments; -1 if none does. */
export function findTooDeep(text: string, limit: number): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (OPENING.has(char)) {
      if (++depth > limit) return at;
    } else if (CLOSING.has(char)) depth--;
    else if (char === '<') {
      if (text.startsWith('<<', at)) {
        if (++depth > limit) return at;
        at++;
      } else at = endOfIri(text, at);
    } else if (char === '>' && text.startsWith('>>', at)) {
      depth--;
      at++;
    } else at = endOfSkipped(text, at, char);
  }
  return -1;
}

function endOfIri(text: string, at: number): number {
  IRI.lastIndex = at;
  return IRI.test(text) ? IRI.lastIndex - 1 : at;
}

function endOfSkipped(text: string, at: number, char: string): number {
  if (char === '\\') return at + 1;
  if (char === '#') {
    let end = at;
    while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++;
    return end;
  }
  if (char !== '"' && char !== "'") return at;
  const long = text.startsWith(char.repeat(3), at);
  return endOfString(text, at, long ? char.repeat(3) : char);
}

function endOfString(text: string, start: number, quote: string): number {
  for (let at = start + quote.length; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (text.startsWith(quote, at)) return at + quote.length - 1;
    else if (quote.length === 1 && (char === '\n' || char === '\r')) return at;
  }
  return text.length;
}
