/**
 * A repository with very many revisions, each of which replaces the value of a random subject. Knows the values at
 * each revision.
 */
import { iri, literal, quad } from 'quadrille';
import type { Repository } from 'quadrille';
import type * as RDF from '@rdfjs/types';
import { Random } from '../generate/random.js';

const EX = 'http://example.org/';
const VALUE = iri(`${EX}value`);
const GROUP = iri(`${EX}group`);
const GROUP_SIZE = 100;

export const subjectNode = (n: number): RDF.NamedNode => iri(`${EX}subject/${n}`);
const groupNode = (n: number): RDF.NamedNode => iri(`${EX}group/${n}`);
const valueQuad = (subject: number, version: number): RDF.Quad =>
  quad(subjectNode(subject), VALUE, literal(`value ${version} of subject ${subject}`));

/** Adds all subjects with their group and first value, as one revision. */
export async function beginHistory(repository: Repository, subjects: number): Promise<void> {
  await repository.add(allSubjects(subjects));
}

function* allSubjects(subjects: number): Generator<RDF.Quad> {
  for (let subject = 0; subject < subjects; subject++) {
    yield quad(subjectNode(subject), GROUP, groupNode(groupOf(subject, subjects)));
    yield valueQuad(subject, 0);
  }
}

/** The group of a subject. Subjects of a group are far apart. */
export const groupOf = (subject: number, subjects: number): number => subject % Math.ceil(subjects / GROUP_SIZE);

export class LongHistory {
  /** Number of replacements of each subject's value so far. */
  readonly versions: Uint32Array;
  readonly #random = new Random();

  constructor(
    private readonly repository: Repository,
    subjects: number,
  ) {
    this.versions = new Uint32Array(subjects);
    this.#random.restart(1, 0, 0);
  }

  async replaceOne(): Promise<void> {
    const subject = this.#random.below(this.versions.length);
    const version = this.versions[subject]!;
    this.versions[subject] = version + 1;
    await this.repository.transaction(async (transaction) => {
      await transaction.remove(valueQuad(subject, version));
      await transaction.add(valueQuad(subject, version + 1));
    });
  }
}

/** A join: the values of all subjects of a group. */
export const groupQuery = (group: number): string =>
  `SELECT ?subject ?value { ?subject <${GROUP.value}> <${groupNode(group).value}> ; <${VALUE.value}> ?value }`;

/** The value of a subject after this many replacements. */
export const expectedValue = (subject: number, versions: Uint32Array): string =>
  valueQuad(subject, versions[subject]!).object.value;
