import type { Pool } from "pg";
import { createUser } from "@/lib/auth/users";
import { confirmRequeue } from "@/lib/console/requeue/confirm";
import { planRequeue, type RequeueableQueue } from "@/lib/console/requeue/plan";
import type { Finding } from "@/lib/domain/preflight";
import { findQueue } from "@/lib/queues";
import type { Sources } from "@/lib/queues/queue";
import type { TestEngine } from "./engine";
import type { TestStores } from "./stores";

/** What every preflight rightly says of the stores that tests share: a crash may lose what is written to them. */
export const FORGETFUL = "store_fit";

export type Operator = { userId: string; name: string };

export type TestDesk = {
  own: Pool;
  queue: RequeueableQueue;
  operator(name: string): Promise<Operator>;
  plan(letterId: string, by: Operator): Promise<{ operationId: string; findings: Finding[] }>;
  /** The click; every warning of the plan is acknowledged unless told otherwise, and that of the store always. */
  press(
    operationId: string,
    by: Operator,
    given?: { acknowledged?: string[]; reason?: string },
  ): ReturnType<typeof confirmRequeue>;
};

/** The console's own code on the file's stores, as its least-privileged roles, before a real engine. */
export function openDesk(
  stores: Pick<TestStores, "pool">,
  engine: Pick<TestEngine, "url" | "client">,
  engineUrl = engine.url,
  more: Partial<Sources> = {},
): TestDesk {
  const own = stores.pool("backstop_own", 24);
  const game = stores.pool("backstop_read", 24);
  const queue = findQueue("persistence-retry", {
    game,
    redis: null,
    rpc: engine.client(engineUrl),
    ...more,
  }) as RequeueableQueue;
  const findings = new Map<string, Finding[]>();
  return {
    own,
    queue,
    async operator(name) {
      const user = {
        username: name.toLowerCase(),
        displayName: name,
        role: "operator" as const,
        password: "correct horse battery",
      };
      const made = await createUser(own, user);
      return { userId: made, name };
    },
    async plan(letterId, by) {
      const plan = await planRequeue(own, queue, letterId, by.userId);
      findings.set(plan.operationId, plan.preflight.findings);
      return { operationId: plan.operationId, findings: plan.preflight.findings };
    },
    press(operationId, by, given = {}) {
      const seen = (findings.get(operationId) ?? []).map((finding) => finding.code);
      return confirmRequeue(
        own,
        queue,
        {
          operationId,
          acknowledged: [...(given.acknowledged ?? seen), FORGETFUL],
          reason: given.reason ?? "the catalog was restored",
        },
        {
          userId: by.userId,
          actor: { id: by.userId, name: by.name, role: "operator" },
          address: "127.0.0.1",
          requestId: "test",
        },
      );
    },
  };
}
