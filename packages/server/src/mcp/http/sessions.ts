/** The sessions of a server, by who has begun them. They are in memory: a client whose session is lost begins another one. */
import { RecentMap } from '@quadrille/model';
import type { Session } from '../session.js';

/** An account that begins more loses those that it has not used for longest. So do clients without an account, by their networks. */
const PARTIES = 512;
const SESSIONS = 32;

export class Sessions {
  readonly #known = new RecentMap<string, RecentMap<string, Session>>(PARTIES);
  readonly #strangers = new RecentMap<string, RecentMap<string, Session>>(PARTIES);

  /** @param isKnown whether the party is an account: strangers take no place of theirs */
  add(party: string, isKnown: boolean, session: Session): void {
    const parties = this.#of(isKnown);
    const sessions = parties.get(party) ?? new RecentMap<string, Session>(SESSIONS);
    sessions.set(session.id, session);
    parties.set(party, sessions);
  }

  /** The session of a party; `undefined` for that of another one, too. */
  get(party: string, isKnown: boolean, id: string): Session | undefined {
    const session = this.#of(isKnown).get(party)?.get(id);
    return session?.isClosed === true ? undefined : session;
  }

  #of(isKnown: boolean): RecentMap<string, RecentMap<string, Session>> {
    return isKnown ? this.#known : this.#strangers;
  }
}
