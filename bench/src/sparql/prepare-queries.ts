/** Writes the texts that all backends run, with parameters from the data of a store. */
import { writeFile } from 'node:fs/promises';
import { open } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import { ParameterSource } from './parameter-source.js';
import { QUERY_CLASSES } from './query-classes.js';
import { prepareQuery } from './query-class.js';

export async function writeQueries(storePath: string, file: string): Promise<void> {
  const db = await open(storePath, { create: false });
  const data = await ParameterSource.read(await db.repository(REPOSITORY));
  await db.close();
  await writeFile(file, JSON.stringify(QUERY_CLASSES.map((query) => prepareQuery(query, data))));
}
