/** Runs of one kind, one after the other, until the time is over. */
import { createHash } from 'node:crypto';
import { type Kind, RunSeed, type Session } from './kind.js';
import type { Fault, Result } from './results.js';

/** A result is told after so much time, and at the end. */
const PART_MS = 10 * 60_000;
/** A campaign with more faults than these ends: one of them is to be mended first. */
const MOST_FAULTS = 5;
const MOST_TEXT = 600;

export interface CampaignOptions {
  readonly name: string;
  readonly kind: Kind;
  readonly seed: string;
  /** Number of the first run. */
  readonly first: number;
  readonly minutes: number;
  readonly commit: string;
  /** Ends it after the run that is under way. */
  readonly signal?: AbortSignal;
  readonly onResult: (result: Result) => void;
  readonly onFault?: (error: Error) => void;
}

/** Runs that are counted together. */
class Part {
  readonly #since = performance.now();
  readonly #digest = createHash('sha256');
  readonly #faults: Fault[] = [];
  #runs = 0;
  #operations = 0;

  constructor(
    private readonly options: CampaignOptions,
    private readonly first: number,
  ) {}

  get next(): number {
    return this.first + this.#runs;
  }

  get isLong(): boolean {
    return performance.now() - this.#since >= PART_MS;
  }

  async run(session: Session): Promise<void> {
    const { name, seed } = this.options;
    const run = new RunSeed(name, seed, this.next);
    this.#runs++;
    try {
      const { plan, operations = 0 } = await session.run(run);
      this.#operations += operations;
      this.#digest.update(digestOf(plan));
    } catch (error) {
      this.fault(error as Error, run.toString());
    }
  }

  fault(error: Error, where: string): void {
    this.options.onFault?.(
      new Error(`${this.options.name} ${where}: ${error.stack ?? String(error)}`, { cause: error }),
    );
    this.#faults.push({ what: `${where}: ${error.message.slice(0, MOST_TEXT)}`, commit: null });
  }

  get result(): Result {
    const { name, seed, commit, kind } = this.options;
    return {
      kind: name,
      seed,
      first: this.first,
      runs: this.#runs,
      ...(kind.operations === undefined ? {} : { operations: this.#operations }),
      minutes: Number(((performance.now() - this.#since) / 60_000).toFixed(2)),
      commit,
      day: new Date().toISOString().slice(0, 10),
      digest: this.#digest.digest('hex'),
      faults: this.#faults,
    };
  }

  get isUsed(): boolean {
    return this.#runs > 0 || this.#faults.length > 0;
  }

  get faults(): number {
    return this.#faults.length;
  }
}

const digestOf = (plan: string): Buffer => createHash('sha256').update(plan).digest();

/** Runs the campaign. Returns the number of faults. */
export async function runCampaign(options: CampaignOptions): Promise<number> {
  const end = performance.now() + options.minutes * 60_000;
  let faults = 0;
  let part = new Part(options, options.first);
  const session = await options.kind.open();
  const told = (): void => {
    faults += part.faults;
    options.onResult(part.result);
    part = new Part(options, part.next);
  };
  try {
    do {
      await part.run(session);
      if (part.isLong) told();
    } while (performance.now() < end && faults + part.faults < MOST_FAULTS && options.signal?.aborted !== true);
  } finally {
    await session.close?.().catch((error: Error) => part.fault(error, 'the end'));
    if (part.isUsed) told();
  }
  return faults;
}
