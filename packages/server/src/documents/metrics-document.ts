/** The answer of `GET /metrics`. */
import { serverProcess } from '#server-platform';
import type { Observer } from '../observer.js';
import type { LoopDelays } from '../platform/platform.js';
import { type Figures, METRICS, PERCENTILES } from './metrics.js';
import { metricText } from './metrics-text.js';

export const METRICS_TYPE = 'text/plain; version=0.0.4';

export class MetricsDocument {
  readonly #startedAt = Date.now() / 1000;
  #delays: LoopDelays | undefined;

  constructor(
    private readonly hosted: Figures['hosted'],
    private readonly observer: Observer,
  ) {}

  /** The first call starts the monitor of the event loop, so that a server without monitoring does not pay for it. */
  async text(): Promise<string> {
    const { hosted, observer } = this;
    this.#delays ??= serverProcess?.watchDelays();
    const limits = await hosted.gate.allLimits();
    const figures: Figures = {
      hosted,
      observer,
      limits,
      database: hosted.database.metrics(),
      servers: hosted.servers?.(),
      process: serverProcess?.figures(),
      delays: this.#delays?.read(PERCENTILES),
      startedAt: this.#startedAt,
    };
    return METRICS.map((metric) => metricText(metric, figures)).join('');
  }
}
