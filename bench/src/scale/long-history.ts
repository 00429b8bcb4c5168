/** A repository with very many revisions, each of which replaces the value of a random subject; and what it held at each. */
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

/** One revision with all subjects, each with its group and its first value. */
export async function beginHistory(repository: Repository, subjects: number): Promise<void> {
  await repository.add(allSubjects(subjects));
}

function* allSubjects(subjects: number): Generator<RDF.Quad> {
  for (let subject = 0; subject < subjects; subject++) {
    yield quad(subjectNode(subject), GROUP, groupNode(groupOf(subject, subjects)));
    yield valueQuad(subject, 0);
  }
}

/** Subjects of a group lie far apart. */
export const groupOf = (subject: number, subjects: number): number => subject % Math.ceil(subjects / GROUP_SIZE);

export class LongHistory {
  /** How often the value of each subject was replaced so far. */
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

/** Values of all subjects of a group: a join. */
export const groupQuery = (group: number): string =>
  `SELECT ?subject ?value { ?subject <${GROUP.value}> <${groupNode(group).value}> ; <${VALUE.value}> ?value }`;

/** What the subject is to have had when its value had been replaced so often. */
export const expectedValue = (subject: number, versions: Uint32Array): string =>
  valueQuad(subject, versions[subject]!).object.value;
