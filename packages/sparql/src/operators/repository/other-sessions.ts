/** What an evaluation needs to run parts of itself in other repositories: for each of them a session with translations of ids. */
import type { Execution, OtherSession, OtherSessions } from '../../execute/core/operator.js';
import { SolutionTerms } from '../../execute/core/solution-terms.js';
import type { IdDataset } from '../../dataset/id-dataset.js';
import { BlankScopes } from './blank-scopes.js';
import { IdTranslation } from './id-translation.js';
import type { OpenedRepositories } from './opened-repositories.js';

export class OpenSessions implements OtherSessions {
  #sessions: Map<string, OtherSession> | undefined;

  constructor(
    readonly opened: OpenedRepositories,
    private scopes?: BlankScopes,
  ) {}

  of(address: string, around: Omit<Execution, 'constants'>): OtherSession {
    this.#sessions ??= new Map();
    let session = this.#sessions.get(address);
    if (session === undefined) {
      const dataset = this.opened.datasets.get(address);
      if (dataset === undefined) throw new Error(`the repository ${address} is not open`);
      session = this.#begin(dataset, around);
      this.#sessions.set(address, session);
    }
    return session;
  }

  #begin(dataset: IdDataset, around: Omit<Execution, 'constants'>): OtherSession {
    const { control, memory } = around;
    const scopes = (this.scopes ??= new BlankScopes());
    const execution = {
      ...around,
      dataset,
      ids: undefined,
      terms: new SolutionTerms(dataset, control, memory),
      others: new OpenSessions(this.opened, scopes),
      // What supplies rows to the plan around it does not supply them here.
      seedRows: (seed: string) => {
        throw new Error(`there are no rows for the seed ${seed}`);
      },
    };
    const [own, theirs] = [around.dataset.termKey, dataset.termKey];
    const carry = { there: scopes.between(own, theirs), back: scopes.between(theirs, own) };
    const { there, back } = IdTranslation.both(around, execution, carry, around);
    return { execution, inward: there, outward: back, constants: new Map() };
  }
}
