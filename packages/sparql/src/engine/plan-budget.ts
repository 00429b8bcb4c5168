/** What all cached plans of a process may hold together. Where the heap gets full, plans and parsed texts are dropped first. */
import { processMemory } from '../control/process-memory.js';
import { forgetTexts } from '../syntax/parse.js';

const MOST_BYTES = 32 * 1024 ** 2;
/** A plan that takes a larger part is not kept. */
const LARGEST_SHARE = 1 / 8;

/** A plan in a cache. */
interface KeptPlan {
  readonly bytes: number;
  /** Takes it out of its cache. */
  drop(): void;
}

export class PlanBudget {
  readonly #plans = new Set<KeptPlan>();
  #bytes = 0;

  constructor(private readonly mostBytes = MOST_BYTES) {}

  get usedBytes(): number {
    return this.#bytes;
  }

  /** Counts a plan that a cache is about to keep, in the place of the oldest ones. False: it is too large to be kept. */
  keep(bytes: number, drop: () => void): boolean {
    if (bytes > this.mostBytes * LARGEST_SHARE) return false;
    this.#plans.add({ bytes, drop });
    this.#bytes += bytes;
    for (const oldest of this.#plans) {
      if (this.#bytes <= this.mostBytes) break;
      this.#forget(oldest);
      oldest.drop();
    }
    return true;
  }

  #forget(plan: KeptPlan): void {
    if (this.#plans.delete(plan)) this.#bytes -= plan.bytes;
  }

  clear(): void {
    const plans = [...this.#plans];
    this.#plans.clear();
    this.#bytes = 0;
    for (const plan of plans) plan.drop();
  }
}

/** The budget of this process. */
export const planBudget = new PlanBudget();

processMemory.onPressure(() => {
  planBudget.clear();
  forgetTexts();
});
