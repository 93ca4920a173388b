import type { Pool } from "pg";
import type { Expect, Finding } from "@/lib/domain/preflight";
import { redisFit } from "@/lib/queues/redis-fit";
import { causeFindings } from "./cause-finding";
import { diedAgainFindings } from "./died-again";
import type { Features } from "./features";
import { poisonFindings } from "./poison-finding";
import { type SessionSource, sessionFindings } from "./session-finding";
import { readSessionTokens } from "./session-tokens";

/** What the console sees of a letter itself, whether or not a game server gives facts. */
export type OwnEvidence = { findings: Finding[]; session: Expect["session"] };

/** By letter id: session, cause, earlier deaths, and Redis where sessions are in play. All sets, never a query a letter. */
export async function readOwnEvidence(
  pool: Pool,
  sessions: SessionSource,
  features: Features,
  letterIds: string[],
): Promise<(letterId: string) => OwnEvidence> {
  const configured = sessions.redis !== null && sessions.sessionActiveKey !== null;
  const [session, fit, cause, died, poison] = await Promise.all([
    readSessionTokens(pool, letterIds).then((said) => sessionFindings(sessions, said)),
    configured && sessions.redis ? redisFit(sessions.redis) : null,
    causeFindings(pool, features, letterIds),
    features.requeued ? diedAgainFindings(pool, letterIds) : new Map<string, Finding>(),
    poisonFindings(pool, letterIds),
  ]);
  return (letterId) => {
    const own = session.get(letterId);
    // One silence is acknowledged once: the session says already that Redis does not answer.
    const twice = own?.finding.severity === "unknown" && fit?.severity === "unknown";
    return {
      findings: [
        own?.finding,
        poison.get(letterId),
        cause.get(letterId),
        died.get(letterId),
        twice ? null : fit,
      ].filter((one) => one != null),
      session: own?.session,
    };
  };
}
