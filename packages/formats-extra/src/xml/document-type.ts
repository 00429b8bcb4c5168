/**
 * Reads the entities that the document type of an XML document declares. Their texts may refer to characters and to other entities. External
 * parts are not read, as XML allows to processors that do not validate.
 */

const MAX_ENTITIES = 1000;
/** The longest text of an entity, with all references in it replaced. */
const MAX_ENTITY_LENGTH = 1024;

// Parts of a document type. Literals may contain ">".
const LITERAL = String.raw`(?:"[^"]*"|'[^']*')`;
const NAME = String.raw`([^\s%"'<>&]+)`;
const ENTITY = new RegExp(String.raw`<!ENTITY\s+${NAME}\s+(?:"([^"]*)"|'([^']*)')\s*>`, 'y');
const EXTERNAL = String.raw`(?:SYSTEM\s+|PUBLIC\s+${LITERAL}\s+)${LITERAL}`;
const EXTERNAL_ENTITY = new RegExp(String.raw`<!ENTITY\s+${NAME}\s+${EXTERNAL}(?:\s+NDATA\s+${NAME})?\s*>`, 'y');
const ATTRIBUTES = new RegExp(String.raw`<!ATTLIST\s(?:[^"'<>]|${LITERAL})*>`, 'y');
/** Space, comments, instructions, and declarations that matter to a processor that validates. */
const SKIPPED = new RegExp(
  String.raw`\s+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!(?:ELEMENT|NOTATION)\s(?:[^"'<>]|${LITERAL})*>`,
  'y',
);
const REFERENCE = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([^\s&;#]+));|&/g;
const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

export class Entities {
  /** The declared texts. Undefined for an entity outside of the document. */
  readonly #declared = new Map<string, string | undefined>();
  readonly #texts = new Map<string, string>();
  readonly #open = new Set<string>();
  readonly #fail: (reason: string) => Error;

  /**
   * @param doctype the text between `<!DOCTYPE` and `>`
   * @param fail creates the error for what is not read
   */
  constructor(doctype: string, fail: (reason: string) => Error) {
    this.#fail = fail;
    const open = doctype.indexOf('[');
    if (open !== -1) this.#declare(doctype, open + 1, doctype.lastIndexOf(']'));
  }

  /** The names of all entities. */
  names(): Iterable<string> {
    return this.#declared.keys();
  }

  /** The text of an entity, without references. Throws if the entity is no text of this document. */
  text(name: string): string {
    let text = this.#texts.get(name);
    if (text === undefined) this.#texts.set(name, (text = this.#expand(name)));
    return text;
  }

  #declare(doctype: string, from: number, end: number): void {
    const take = (pattern: RegExp, at: number): RegExpExecArray | undefined => {
      pattern.lastIndex = at;
      return pattern.exec(doctype) ?? undefined;
    };
    for (let at = from, count = 0; at < end;) {
      const attributes = take(ATTRIBUTES, at);
      if (attributes !== undefined && /["']/.test(attributes[0]))
        throw this.#fail('a document type gives attributes default values: write them into the elements');
      const other = attributes ?? take(SKIPPED, at);
      const external = other ?? take(EXTERNAL_ENTITY, at);
      const match = external ?? take(ENTITY, at);
      if (match === undefined)
        throw this.#fail('a document type may declare entities for texts, not parameter entities');
      at += match[0].length;
      if (match === other) continue;
      if (++count > MAX_ENTITIES) throw this.#fail(`more than ${MAX_ENTITIES} entities`);
      const [, name, double, single] = match;
      // The first declaration counts.
      if (!this.#declared.has(name!)) this.#declared.set(name!, match === external ? undefined : (double ?? single!));
    }
  }

  #expand(name: string): string {
    const declared = this.#declared.get(name);
    if (declared === undefined) throw this.#error(name, 'is outside of the document, and is not read');
    if (this.#open.has(name)) throw this.#error(name, 'refers to itself');
    this.#open.add(name);
    // XML replaces characters in the declaration, and entities in the use: "&#38;lt;" is the text "<", and "&#60;" begins a tag.
    const written = this.#replace(name, declared, (reference) => this.#character(reference));
    if (written.includes('<')) throw this.#error(name, 'has markup: only entities for texts are read');
    const text = this.#replace(
      name,
      written,
      (reference) => this.#character(reference) ?? this.#entity(name, reference[3]!),
    );
    this.#open.delete(name);
    return text;
  }

  #replace(name: string, text: string, valueOf: (reference: RegExpMatchArray) => string | undefined): string {
    let [result, at] = ['', 0];
    for (const match of text.matchAll(REFERENCE)) {
      if (match[0] === '&') throw this.#error(name, 'has an "&" that begins no reference');
      result += text.slice(at, match.index) + (valueOf(match) ?? match[0]);
      at = match.index + match[0].length;
      if (result.length > MAX_ENTITY_LENGTH) break;
    }
    result += text.slice(at);
    if (result.length > MAX_ENTITY_LENGTH) throw this.#error(name, `is longer than ${MAX_ENTITY_LENGTH} characters`);
    return result;
  }

  #character([reference, hexadecimal, decimal]: RegExpMatchArray): string | undefined {
    if (hexadecimal === undefined && decimal === undefined) return undefined;
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    if (!isXmlCharacter(code)) throw this.#fail(`${reference!.slice(0, 40)} is no character of XML`);
    return String.fromCodePoint(code);
  }

  #entity(from: string, name: string): string {
    const predefined = PREDEFINED.get(name);
    if (predefined !== undefined) return predefined;
    if (!this.#declared.has(name)) throw this.#error(from, `refers to ${shown(name)}, which is not declared`);
    return this.text(name);
  }

  #error(name: string, reason: string): Error {
    return this.#fail(`the entity ${shown(name)} ${reason}`);
  }
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 40));

/** Whether a code point is a character that XML 1.0 allows. */
export function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}
