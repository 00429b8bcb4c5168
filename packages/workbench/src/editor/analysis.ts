/** What a text says without the server: its kind, its names, and where it is wrong. */
import type { Tree } from '@lezer/common';

export type Kind = 'select' | 'ask' | 'construct' | 'describe' | 'update' | undefined;

export interface Fault {
  readonly from: number;
  readonly to: number;
  readonly kind: 'unexpected' | 'incomplete' | 'undeclared';
  /** Of `undeclared`. */
  readonly prefix?: string;
}

export interface Analysis {
  readonly kind: Kind;
  /** Without `?`. */
  readonly variables: readonly string[];
  readonly faults: readonly Fault[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  SelectQuery: 'select',
  AskQuery: 'ask',
  ConstructQuery: 'construct',
  DescribeQuery: 'describe',
  Update: 'update',
};

/** @param known prefixes that need no declaration */
export function analyse(text: string, tree: Tree, known: Readonly<Record<string, string>>): Analysis {
  let kind: Kind;
  const variables = new Set<string>();
  const declared = new Set(Object.keys(known));
  const used: Fault[] = [];
  const faults: Fault[] = [];
  const cursor = tree.cursor();
  do {
    const { name, from, to, type } = cursor;
    kind ??= KINDS[name];
    if (type.isError) faults.push(faultAt(text, from, to));
    else if (name === 'Var') variables.add(text.slice(from + 1, to));
    else if (name === 'PName') {
      const prefix = text.slice(from, text.indexOf(':', from));
      if (cursor.node.parent?.name === 'PrefixDecl') declared.add(prefix);
      else used.push({ from, to, kind: 'undeclared', prefix });
    }
  } while (cursor.next());
  faults.push(...used.filter(({ prefix }) => !declared.has(prefix!)));
  return { kind, variables: [...variables], faults: joined(faults) };
}

function faultAt(text: string, from: number, to: number): Fault {
  const atEnd = text.slice(from).trim() === '';
  return { from: Math.min(from, text.length), to: Math.max(to, from), kind: atEnd ? 'incomplete' : 'unexpected' };
}

/** Only the first place where a text is wrong: what follows is mostly a consequence. */
function joined(faults: readonly Fault[]): Fault[] {
  const first = faults.find(({ kind }) => kind !== 'undeclared');
  return [...(first === undefined ? [] : [first]), ...faults.filter(({ kind }) => kind === 'undeclared')];
}
