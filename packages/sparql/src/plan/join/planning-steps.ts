/** How much a plan may be searched for. A step is a way to join that was costed, or an operation that was planned. */
export interface PlanningSteps {
  used: number;
  readonly most: number;
}

export const MOST_PLANNING_STEPS = 200_000;
