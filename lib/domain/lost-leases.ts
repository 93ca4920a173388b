/** How many lost leases without a recorded failure make a dead letter of a job, unrun. */
const LOST_MAX = 3;

/** "Lost 2 leases" */
export const sayLost = (lost: number): string =>
  `Lost ${lost.toLocaleString("en-US")} ${lost === 1 ? "lease" : "leases"}`;

/** What becomes of a job whose lease was lost without a recorded failure: perhaps it kills the process that runs it. */
export function saySuspect(lost: number): string {
  return `${sayLost(lost)} without a recorded failure; claimed alone; at ${LOST_MAX} it is dead-lettered unrun.`;
}
