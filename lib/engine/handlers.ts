import type pg from "pg";
import type { JournalConfig, RetrySettings } from "@/lib/config-engine";
import type { FaultName } from "@/lib/domain/demo-fault";
import type { DemoHandlers, EngineHandlers } from "./http/handlers";
import {
  inspectDeadLetters,
  type RequeueOneEnding,
  readFacts,
  readLedger,
  readOperation,
  requeueBatch,
  requeueOne,
  type SessionReader,
} from "./persistence-retry";
import { readClock } from "./pg/clock";
import type { CloseDeps } from "./session-lifecycle";
import {
  beginFault,
  breakCatalog,
  countCleanups,
  endFault,
  isJournalFault,
  mendCatalog,
  noteViewer,
  readDemoState,
  removeOverwritten,
} from "./world";

export type HandlerDeps = {
  pool: pg.Pool;
  settings: RetrySettings;
  /** How long the ledger keeps the key of a write. */
  appliedKeysDays: number;
  demo: boolean;
  /** Whether the demo may make its Redis refuse writes. */
  redisCanRefuse: boolean;
  /** Null: this engine has no journal. */
  journal: EngineHandlers["journal"];
  journalConfig: JournalConfig | null;
  /** For the demo's faults of the journal. */
  journalStores: Pick<CloseDeps, "queue" | "sessions"> | null;
  /** Null: this engine has no sessions to look at. */
  readSessions: SessionReader | null;
  /** Tells the retry worker of a job that is committed. */
  signal: (retryJobId: string) => void;
};

/** What the engine does behind its routes. */
export function createHandlers(deps: HandlerDeps): EngineHandlers {
  const { pool, settings, appliedKeysDays, demo, journal, journalConfig, readSessions, signal } = deps;
  return {
    async info() {
      return {
        server_time: await readClock(pool),
        lease_seconds: settings.leaseMs / 1_000,
        retry_limit: settings.attemptsMax,
        backoff_ms: settings.backoffMs,
        backoff_cap_ms: settings.backoffCapMs,
        checks_session: readSessions !== null,
        ...(journalConfig && {
          journal: { retry_limit: journalConfig.attemptsMax, interval_ms: journalConfig.intervalMs },
        }),
      };
    },
    inspectDeadLetters: (limit) => inspectDeadLetters(pool, limit),
    async requeueOne(deadLetterId, { actor, startByMs }) {
      const ending = await requeueOne(pool, { deadLetterId, actor, startByMs });
      if (ending.kind === "requeued") signal(ending.retryJobId);
      return requeueOneOutcome(ending);
    },
    readFacts: async (deadLetterIds) => ({
      ...(await readFacts(pool, deadLetterIds)),
      ledger: await readLedger(pool, appliedKeysDays),
    }),
    async requeueBatch(operationId, items, { actor, startByMs }) {
      const ending = await requeueBatch(pool, { operationId, actor, items, startByMs, readSessions });
      if (ending.kind !== "answered") return ending;
      // A repeated item's job may have settled long ago: a signal for it then finds no row.
      for (const answer of ending.answers) if (answer.answer === "requeued") signal(answer.retry_job_id);
      return { kind: "answered", server_time: await readClock(pool), answers: ending.answers };
    },
    async readOperation(operationId) {
      // The clock first: an answer that is not there was not committed at that time either.
      const serverTime = await readClock(pool);
      const answers = await readOperation(pool, operationId);
      return answers.length === 0
        ? { kind: "not_found", serverTime }
        : { kind: "found", server_time: serverTime, answers };
    },
    journal,
    demo: demo ? demoHandlers(deps) : null,
  };
}

function demoHandlers({ pool, journalStores: journal, redisCanRefuse }: HandlerDeps): DemoHandlers {
  const can = (fault: FaultName) =>
    !isJournalFault(fault) || (journal !== null && (fault !== "redis_refuses" || redisCanRefuse));
  return {
    async readState() {
      const state = await readDemoState(pool);
      if (!journal || state.fault?.fault !== "presence_keys") return state;
      const counts = await countCleanups(pool, journal.queue).catch(() => ({}));
      return { ...state, fault: { ...state.fault, ...counts } };
    },
    breakCatalog: ({ actor }) => breakCatalog(pool, actor),
    mendCatalog: ({ actor }) => mendCatalog(pool, actor),
    noteViewer: () => noteViewer(pool),
    async beginFault(fault, { actor }) {
      if (can(fault)) await beginFault(pool, fault, actor);
    },
    async endFault(fault, { actor }) {
      await endFault(pool, fault, actor);
      if (journal && fault === "presence_keys") await removeOverwritten(pool, journal.sessions);
    },
  };
}

function requeueOneOutcome(ending: RequeueOneEnding) {
  switch (ending.kind) {
    case "requeued":
      return { kind: "requeued" as const, retryJobId: ending.retryJobId };
    case "already_requeued":
      return { kind: "not_requeued" as const, retryJobId: ending.retryJobId };
    case "not_found":
      return { kind: "not_requeued" as const, retryJobId: null };
    case "undecodable":
    case "too_late":
      return ending;
    default:
      return ending satisfies never;
  }
}
