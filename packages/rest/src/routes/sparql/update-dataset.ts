/** Whether the text of an update chooses graphs itself, which must not be mixed with the parameters of the protocol. */

// What may hide a keyword, or look like one: comments, IRIs, strings, variables, names with a colon, language tags.
const TOKENS =
  /#[^\n\r]*|<[^<>"{}|^`\\\s]*>|"""(?:[^\\]|\\.)*?"""|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*'|[?$@][\p{L}\p{N}_-]+|[\p{L}\p{N}_.-]*:[\p{L}\p{N}_.:%\\-]*|[A-Za-z]+/gsu;

/** True for an update with USING or WITH. */
export function namesItsDataset(update: string): boolean {
  for (const [token] of update.matchAll(TOKENS)) {
    if (/^(?:using|with)$/i.test(token)) return true;
  }
  return false;
}
