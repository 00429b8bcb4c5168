/** Short requests to empty stores, by 1, 8 and 64 clients: the server on one core, the clients on another. */
import { measureWork } from '../../http/measure-work.js';
import { partsOf, type Subject, SUBJECTS } from '../../http/subjects.js';
import { worksOf } from '../../http/work.js';
import type { Context, Figures, Workload } from '../../workload.js';

/** In this order: the first ones warm the server, which takes a single client longest. */
const CLIENTS = [8, 64, 1] as const;
const WARMING = 8;

async function measure(subject: Subject, { scratch, queries }: Context): Promise<Figures> {
  const server = await subject.start(scratch);
  const figures: Record<string, Figures[string]> = {};
  try {
    for (const work of worksOf(subject)) {
      if (queries.length > 0 && !queries.includes(work.name)) continue;
      for (const clients of CLIENTS)
        Object.assign(
          figures,
          await measureWork(server, work, clients, nameOf(work.name, clients), clients === WARMING),
        );
    }
  } finally {
    await server.stop();
  }
  return figures;
}

const nameOf = (work: string, clients: number): string => `${work}, ${String(clients)} clients`;
const names = worksOf(SUBJECTS.quadrille).flatMap(({ name }) => CLIENTS.map((clients) => nameOf(name, clients)));

export const workload: Workload = {
  name: 'side-by-side',
  parts: partsOf(measure),
  comparisons: Object.keys(SUBJECTS)
    .filter((backend) => backend !== 'quadrille')
    .flatMap((backend) =>
      names.flatMap((name) => [name, `${name}, CPU`]).map((figure) => ({ figure, backend, how: 'ratio' as const })),
    ),
  layout: 'columns',
};
