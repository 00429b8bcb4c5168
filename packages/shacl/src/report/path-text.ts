/** Paths as text. */
import type { Path } from '../shapes/paths.js';

/** A path as SPARQL writes it. */
export function pathText(path: Path): string {
  switch (path.kind) {
    case 'predicate':
      return `<${path.predicate.term.value}>`;
    case 'inverse':
      return `^${innerText(path.path)}`;
    case 'sequence':
      return path.paths.map(innerText).join('/');
    case 'alternative':
      return path.paths.map(innerText).join('|');
    case 'repeat':
      return `${innerText(path.path)}${path.many ? (path.least === 0 ? '*' : '+') : '?'}`;
    case 'any':
    case 'reifiers':
      throw new Error('no path of SHACL');
  }
}

const innerText = (path: Path): string => (path.kind === 'predicate' ? pathText(path) : `(${pathText(path)})`);
