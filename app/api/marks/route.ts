import { z } from "zod";
import { byOf } from "@/lib/auth/by";
import { readJson } from "@/lib/auth/read-json";
import { routeGuard } from "@/lib/auth/route";
import { addMark } from "@/lib/console/samples/add-mark";
import { pools } from "@/lib/db/pools";

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^\P{C}*$/u, "No control characters.");

/** A word of at most 10 characters for the charts, and its sentence. */
const MarkInput = z.object({ word: line(10), text: line(200) });

/** Marks the charts at this moment, such as with a deploy. For people, and for tokens that may mark. */
export const POST = routeGuard(
  "operator",
  async ({ request, ...asked }) => {
    const body = await readJson(request, MarkInput);
    if (body.kind !== "read") return Response.json(body, { status: body.kind === "too_large" ? 413 : 400 });
    await addMark(pools().own, body.value, byOf(asked));
    return { kind: "marked" };
  },
  "mark",
);
