import { DescribedServer, randomBelow } from '../../rest/described/server.js';
import { RightsWalk } from '../../rest/rights-walk.js';
import { type Kind, must } from '../kind.js';

/** Requests of a run that are made from the description. */
const REQUESTS = 100;
const STEPS = 150;
/** Runs after which a new server begins, so that what was made does not add up. */
const MOST_RUNS = 100;
/** One in so many runs goes over sockets. */
const SOCKETS = 5;

export const kind: Kind = {
  runs: 'runs',
  operations: 'requests',
  promise:
    'Every answer is as the description says, also to requests that no client of ours would send. Nobody gets what the rights do not give, and nothing is answered with a fault of the server.',
  how: `Half of the runs are ${REQUESTS} requests each, made from the OpenAPI document for any operation. They have values of their schemas, hostile texts, wrong types, damaged and cut bodies. Operators, owners, readers, strangers and holders of wrong tokens send them. Each status, media type and JSON body is compared with the document, and HEAD with GET. The other runs are walks of ${STEPS} steps. Accounts create, share, fill, read and delete repositories, and exchange tokens; a model of rights and revisions tells each status and each content. One in ${SOCKETS} runs of the first kind goes over sockets, others call the handler.`,
  notPromised: 'Which of several errors is named.',
  goal: 1e6,
  async open() {
    let servers: Promise<Readonly<Record<'direct' | 'sockets', DescribedServer>>> | undefined;
    let runs = 0;
    const start = async () => ({
      direct: await DescribedServer.start({ direct: true }),
      sockets: await DescribedServer.start(),
    });
    const stop = async (): Promise<void> => {
      const { direct, sockets } = (await servers) ?? {};
      servers = undefined;
      await direct?.stop();
      await sockets?.stop();
    };
    return {
      async run(seed) {
        if (seed.index % 2 === 0) {
          const { plan, requests } = await RightsWalk.run(seed.random(), STEPS);
          return { plan: plan.join('\n'), operations: requests };
        }
        if (++runs % MOST_RUNS === 0) await stop();
        const { direct, sockets } = await (servers ??= start());
        const server = runs % SOCKETS === 0 ? sockets : direct;
        const next = randomBelow(seed.number());
        const send = server.requests(next);
        const sent: string[] = [];
        for (let n = 0; n < REQUESTS; n++) {
          const operation = server.operations[next(server.operations.length)]!;
          sent.push(`${operation.method} ${operation.path}`);
          const fault = await send(operation);
          must(fault === undefined, () => fault!);
        }
        return { plan: `${seed.number()}\n${sent[0]!}`, operations: REQUESTS };
      },
      close: stop,
    };
  },
};
