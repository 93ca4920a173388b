"use server";

import { z } from "zod";
import { action } from "@/lib/auth/action";
import { config } from "@/lib/config";
import { changeDemo, type DemoVerb } from "@/lib/console/demo/change";
import { DEMO_READING } from "@/lib/console/overview/read";
import { forgetReading } from "@/lib/console/overview/shared-reading";
import { sources } from "@/lib/console/sources";
import { pools } from "@/lib/db/pools";
import { FaultName } from "@/lib/domain/demo-fault";

const act = <S extends z.ZodType>(name: string, input: S, verbOf: (input: z.output<S>) => DemoVerb) =>
  action({
    name,
    role: "operator",
    everyQueue: true,
    input,
    async body({ who, address, requestId, input }) {
      const { rpc } = sources();
      if (!config().demo || !rpc) return { kind: "not_done" as const, sentence: "There is no demo here." };
      const actor = { id: who.userId, name: who.displayName, role: who.role };
      const change = await changeDemo(pools().own, rpc, verbOf(input), { actor, address, requestId });
      forgetReading(DEMO_READING);
      return change;
    },
  });

/** Takes a zone out of the demo's catalog, so that writes begin to fail. */
export const breakCatalog = act("demo_break", z.undefined(), () => "break");

/** Puts it back. */
export const mendCatalog = act("demo_mend", z.undefined(), () => "mend");

/** Makes one of the demo's faults, where none is open. */
export const beginFault = act("demo_fault_begin", FaultName, (fault) => ({ verb: "fault_begin", fault }));

/** Mends it. */
export const endFault = act("demo_fault_end", FaultName, (fault) => ({ verb: "fault_end", fault }));
