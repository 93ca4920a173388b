/**
 * Loaded before a program: its wall clock is wrong by `?ms=` from the first moment on. What measures durations
 * (`performance`) and timers are right, as on a machine whose clock was set wrongly.
 */
const shiftMs = Number(new URL(import.meta.url).searchParams.get("ms"));
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shiftMs);
    else super(...args);
  }
  static now() {
    return RealDate.now() + shiftMs;
  }
};
