// For `node --import`: after SIGUSR2 the clock of the process is a day ahead.
let aheadMs = 0;
process.on('SIGUSR2', () => (aheadMs += 86_400_000));
const Present = Date;

globalThis.Date = class Date extends Present {
  constructor(...parts) {
    if (parts.length === 0) super(Present.now() + aheadMs);
    else super(...parts);
  }

  static now() {
    return Present.now() + aheadMs;
  }
};
