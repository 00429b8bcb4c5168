/** Makes a failing case small: parts of its tree are taken away as long as it still fails. */

const CATEGORIES = ['pattern', 'expr', 'path'] as const;
const OPTIONAL = new Set('distinct groupBy having orderBy limit offset separator with delete insert'.split(' '));

type Node = Readonly<Record<string, unknown>>;

/**
 * The smallest tree that was found for which `fails` holds. Trees that make no sense have to be refused by `fails`.
 */
export async function shrink<T>(tree: T, fails: (smaller: T) => Promise<boolean>, milliseconds = 30_000): Promise<T> {
  let smallest = tree;
  const end = Date.now() + milliseconds;
  for (let progress = true; progress && Date.now() < end;) {
    progress = false;
    for (const candidate of smaller(smallest)) {
      if (Date.now() > end) break;
      if (!(await fails(candidate as T))) continue;
      smallest = candidate as T;
      progress = true;
      break;
    }
  }
  return smallest;
}

/** Trees with one part less, the largest parts first. */
export function* smaller(tree: unknown): Generator<unknown> {
  if (Array.isArray(tree)) {
    if (tree.length > 7) {
      const half = tree.length >> 1;
      yield tree.slice(0, half);
      yield tree.slice(half);
    }
    for (let i = 0; i < tree.length; i++) yield tree.toSpliced(i, 1);
    for (const [i, item] of tree.entries()) for (const part of smaller(item)) yield tree.with(i, part);
    return;
  }
  if (typeof tree !== 'object' || tree === null) return;
  const node = tree as Node;
  const category = CATEGORIES.find((name) => name in node);
  if (category !== undefined) yield* parts(node, category);
  if (category === 'expr' && node['expr'] !== 'term') yield { expr: 'term', term: 'true' };
  if (category === 'pattern' && 'where' in node && node['pattern'] !== 'group')
    yield { pattern: 'group', where: node['where'] };
  for (const name of Object.keys(node)) {
    if (OPTIONAL.has(name) && node[name] !== false) yield without(node, name);
  }
  for (const [name, member] of Object.entries(node)) {
    for (const part of smaller(member)) yield { ...node, [name]: part };
  }
}

function without(node: Node, name: string): Node {
  if (node[name] === true) return { ...node, [name]: false };
  const { [name]: _, ...rest } = node;
  return rest;
}

/** What below a node could stand in its place. */
function* parts(value: unknown, category: string, isRoot = true): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  if (!isRoot && !Array.isArray(value) && category in value) {
    yield value;
    return;
  }
  for (const member of Object.values(value)) yield* parts(member, category, false);
}
