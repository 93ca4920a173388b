"use server";

import { z } from "zod";
import { operatorAction } from "@/lib/auth/action";
import { config } from "@/lib/config";
import { changeDemo, type DemoVerb } from "@/lib/console/demo/change";
import { DEMO_READING } from "@/lib/console/overview/read";
import { forgetReading } from "@/lib/console/overview/shared-reading";
import { sources } from "@/lib/console/sources";
import { pools } from "@/lib/db/pools";

const act = (verb: DemoVerb) =>
  operatorAction(`demo_${verb}`, z.undefined(), async ({ who, address, requestId }) => {
    const { rpc } = sources();
    if (!config().demo || !rpc) return { kind: "not_done" as const, sentence: "There is no demo here." };
    const actor = { id: who.userId, name: who.displayName, role: who.role };
    const change = await changeDemo(pools().own, rpc, verb, { actor, address, requestId });
    forgetReading(DEMO_READING);
    return change;
  });

/** Takes a zone out of the demo's catalog, so that writes begin to fail. */
export const breakCatalog = act("break");

/** Puts it back. */
export const mendCatalog = act("mend");
