/**
 * Reads `<methodCall>`. The structure is checked strictly. A document type is refused, so there are no entities but the five of
 * XML. Processing instructions and comments are ignored.
 */
import { SaxesParser } from 'saxes';
import type { ReadLimits, RpcCall } from '../calls/call.js';
import { RPC, type RpcCode, RpcError } from '../calls/rpc-error.js';
import type { RpcStruct, RpcValue } from '../calls/value.js';
import { decodeXml } from './decode-xml.js';
import { SCALARS } from './read-scalar.js';

const TYPES: ReadonlySet<string> = new Set([...SCALARS.keys(), 'struct', 'array']);
/** The allowed children of each element. */
const CHILDREN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['methodCall', new Set(['methodName', 'params'])],
  ['params', new Set(['param'])],
  ['param', new Set(['value'])],
  ['value', TYPES],
  ['struct', new Set(['member'])],
  ['member', new Set(['name', 'value'])],
  ['array', new Set(['data'])],
  ['data', new Set(['value'])],
]);
/** Elements with any number of children. The others have at most one child of each name. */
const REPEATING: ReadonlySet<string> = new Set(['params', 'struct', 'data']);
const NOT_SPACE = /[^ \t\r\n]/;
const MAX_MESSAGE = 200;

/** An open element. Members that it does not use are undefined. */
interface Element {
  readonly name: string;
  text: string;
  /** Of a value, and of what carries one. */
  value: RpcValue | undefined;
  /** `methodName` of a call, `name` of a member. */
  key: string | undefined;
  items: RpcValue[] | undefined;
  members: Record<string, RpcValue> | undefined;
}

/** @throws RpcError `RPC_PARSE_ERROR` for what is not XML, has a document type or is too deep, `RPC_INVALID_REQUEST` for what is no call */
export function readXmlCall(bytes: Uint8Array, limits: ReadLimits): RpcCall {
  return new CallReader(limits.maxDepth).read(decodeXml(bytes));
}

class CallReader {
  // The characters of XML 1.0 are used for every declared version.
  readonly #parser = new SaxesParser({ defaultXMLVersion: '1.0', forceXMLVersion: true });
  readonly #maxDepth: number;
  readonly #open: Element[] = [];
  #depth = 0;
  #call: RpcCall | undefined;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new RpcError(RPC.PARSE_ERROR, `not XML: ${error.message}`.slice(0, MAX_MESSAGE));
    });
    parser.on('doctype', () => {
      throw this.#refuse('a document type is not allowed', RPC.PARSE_ERROR);
    });
    // Before `opentag`, so that the attributes of a refused element are not read.
    parser.on('opentagstart', ({ name }) => this.#begin(name));
    parser.on('text', (text) => this.#text(text));
    parser.on('cdata', (text) => this.#text(text));
    parser.on('closetag', () => this.#end());
  }

  read(text: string): RpcCall {
    this.#parser.write(text).close();
    // The parser has refused a document without a root.
    return this.#call!;
  }

  #begin(name: string): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) {
      if (name !== 'methodCall') throw this.#refuse(`the root is ${shown(name)}, not <methodCall>`);
    } else if (CHILDREN.get(parent.name)?.has(name) !== true) {
      throw this.#refuse(`${shown(name)} has no place in <${parent.name}>`);
    } else if (!REPEATING.has(parent.name)) this.#once(parent, name);
    if (name === 'struct' || name === 'array') {
      if (++this.#depth > this.#maxDepth) {
        throw this.#refuse(`values are nested deeper than ${String(this.#maxDepth)}`, RPC.PARSE_ERROR);
      }
    }
    this.#open.push(newElement(name));
  }

  /** Checks that all children are present, in their order. */
  #once(parent: Element, name: string): void {
    const isName = name === 'methodName' || name === 'name';
    const filled = isName ? parent.key !== undefined : parent.value !== undefined || parent.items !== undefined;
    if (filled) throw this.#refuse(`<${parent.name}> has a second ${shown(name)}`);
    if (!isName && parent.key === undefined && (parent.name === 'member' || parent.name === 'methodCall')) {
      throw this.#refuse(`<${parent.name}> has no name before <${name}>`);
    }
  }

  #text(text: string): void {
    const element = this.#open.at(-1);
    if (element === undefined) return;
    if (!CHILDREN.has(element.name) || element.name === 'value') element.text += text;
    else if (NOT_SPACE.test(text)) throw this.#refuse(`<${element.name}> has text`);
  }

  #end(): void {
    const element = this.#open.pop()!;
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#call = this.#callOf(element);
    else this.#give(element, parent);
  }

  /** Adds a complete element to its parent. */
  #give(element: Element, parent: Element): void {
    switch (element.name) {
      case 'methodName':
        parent.key = element.text.trim();
        break;
      case 'name':
        parent.key = element.text;
        break;
      case 'params':
        parent.items = element.items;
        break;
      case 'param':
        parent.items!.push(this.#valueOf(element));
        break;
      case 'value':
        if (parent.name === 'data') parent.items!.push(this.#plainValue(element));
        else parent.value = this.#plainValue(element);
        break;
      case 'member':
        this.#addMember(parent.members!, element);
        break;
      case 'data':
        parent.value = element.items;
        break;
      case 'struct':
      case 'array':
        this.#depth--;
        parent.value = element.members ?? this.#valueOf(element);
        break;
      default:
        parent.value = this.#scalarOf(element);
    }
  }

  /** A value without a type is a string. */
  #plainValue({ text, value }: Element): RpcValue {
    if (value === undefined) return text;
    if (NOT_SPACE.test(text)) throw this.#refuse('<value> has text beside its type');
    return value;
  }

  #valueOf({ name, value }: Element): RpcValue {
    if (value === undefined) throw this.#refuse(`<${name}> has no value`);
    return value;
  }

  #scalarOf({ name, text }: Element): RpcValue {
    const value = SCALARS.get(name)!(text);
    if (value === undefined) throw this.#refuse(`${JSON.stringify(text.slice(0, 40))} is no <${name}>`);
    return value;
  }

  #addMember(members: Record<string, RpcValue>, member: Element): void {
    const value = this.#valueOf(member);
    const name = member.key!;
    if (name in members) throw this.#refuse(`a struct has the member ${JSON.stringify(name.slice(0, 40))} twice`);
    members[name] = value;
  }

  #callOf({ key, items }: Element): RpcCall {
    if (key === undefined || key === '') throw this.#refuse('<methodCall> has no method name');
    return { method: key, params: items };
  }

  #refuse(reason: string, code: RpcCode = RPC.INVALID_REQUEST): RpcError {
    const { line, column } = this.#parser;
    return new RpcError(code, `${String(line)}:${String(column)}: ${reason}`);
  }
}

function newElement(name: string): Element {
  return {
    name,
    text: '',
    value: undefined,
    key: undefined,
    items: name === 'params' || name === 'data' ? [] : undefined,
    // No prototype: `__proto__` is a member like any other.
    members: name === 'struct' ? (Object.create(null) as RpcStruct) : undefined,
  };
}

const shown = (name: string): string => `<${name.slice(0, 40)}>`;
