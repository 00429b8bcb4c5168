/** Erases data from all revisions. Loaded with the first call. */
import type { EraseTarget as CoreTarget, Repository as CoreRepository } from '@quadrille/core';
import { checkCommitInfo } from '@quadrille/core';
import { InvalidArgumentError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { EraseOptions, EraseReport, EraseTarget } from '../api/index.js';
import { Anchors } from '../integrity/anchors.js';
import { abortable } from '../integrity/index.js';
import { READ_OPTIONS } from '../options/calls.js';
import { checkOptions, type Rules } from '../options/check-options.js';
import { text, trueOrFalse } from '../options/rules.js';
import { checkPattern } from '../read/quads.js';

const ERASE_OPTIONS: Rules<EraseOptions> = { ...READ_OPTIONS, reason: text, author: text, dryRun: trueOrFalse };
const MOST_QUADS = 1_000_000;
/** Room for the count behind a reason. */
const SUFFIX = ' (1000000000000 quads)';

const COPIES: readonly string[] = [
  'Backups keep the data. The next backup is without them; delete older ones.',
  'Forks, clones and replicas keep the data. Erase there too.',
  'Caches of clients and proxies keep answers about old revisions for up to a day. Then they ask, and learn that they have changed.',
  'Messages, authors, names of branches and tags, prefixes, settings and logs are not searched.',
];
const OF_BACKEND: Readonly<Record<string, string>> = {
  postgres:
    'PostgreSQL keeps rows until VACUUM, and its WAL and archives of it for as long as its operator says. Other servers empty their disk caches when they look at the store next. Delete the folders of servers that are gone.',
  s3: 'The bucket keeps versions of deleted objects if versioning is on. Other servers empty their disk caches when they look at the store next. Delete the folders of servers that are gone.',
  indexeddb: 'The browser decides when the files of its database lose deleted data.',
};

/** @throws InvalidArgumentError `INVALID_OPTION` without a reason, or if nothing is named */
export async function eraseData(
  core: CoreRepository,
  target: EraseTarget,
  options: EraseOptions,
): Promise<EraseReport> {
  checkOptions(options, ERASE_OPTIONS, 'erase');
  const { reason, author, signal, dryRun } = options ?? {};
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new InvalidArgumentError('INVALID_OPTION', 'erase: `reason` must say why, without what is erased');
  checkCommitInfo({ message: reason + SUFFIX, author });
  const checked = targetOf(target);
  return abortable(signal, async () => {
    const report = await core.maintenance.erase({
      target: checked,
      author,
      dryRun,
      message: (quads) => `${reason} (${String(quads)} ${quads === 1 ? 'quad' : 'quads'})`,
      attest: (line, numbers) => new Anchors(line, signal).at(numbers),
    });
    const more = OF_BACKEND[core.handle.keyspace.engine.name];
    return { ...report, copies: more === undefined ? COPIES : [...COPIES, more] };
  });
}

function targetOf(target: EraseTarget): CoreTarget {
  if (typeof target !== 'object' || target === null) throw unclear();
  const members = Object.keys(target);
  if (members.length !== 1) throw unclear();
  if ('term' in target) return { term: checkedTerm(target.term) };
  if ('pattern' in target) return { pattern: checkedPattern(target.pattern) };
  if (!('quads' in target) || typeof target.quads?.[Symbol.iterator] !== 'function') throw unclear();
  const quads: RDF.Quad[] = [];
  for (const quad of target.quads) {
    quads.push(quad);
    if (quads.length > MOST_QUADS)
      throw new InvalidArgumentError('INVALID_OPTION', `erase: more than ${String(MOST_QUADS)} quads: use a pattern`);
  }
  if (quads.length === 0) throw new InvalidArgumentError('INVALID_OPTION', 'erase: `quads` is empty');
  return { quads };
}

const TERM_TYPES = ['NamedNode', 'BlankNode', 'Literal', 'Quad'];

function checkedTerm(term: RDF.Term): RDF.Term {
  if (TERM_TYPES.includes(term?.termType)) return term;
  throw new InvalidArgumentError(
    'INVALID_TERM',
    'erase: `term` must be an IRI, a blank node, a literal or a triple term',
  );
}

function checkedPattern(pattern: Extract<EraseTarget, { pattern: unknown }>['pattern']): typeof pattern {
  checkPattern(pattern);
  const { subject, predicate, object, graph } = pattern;
  if (subject || predicate || object || graph) return pattern;
  throw new InvalidArgumentError(
    'INVALID_PATTERN',
    'erase: an empty pattern would erase everything: delete the repository',
  );
}

const unclear = (): InvalidArgumentError =>
  new InvalidArgumentError('INVALID_OPTION', 'erase: say what is erased: `term`, `pattern` or `quads`');
