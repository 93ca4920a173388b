import "server-only";
import type { z } from "zod";
import { declare, type Need } from "@/lib/auth/declared";
import { requestContext } from "@/lib/auth/request";
import type { Role } from "@/lib/auth/role";
import { type ActionResult, type ActionSpec, type Asked, runAction } from "@/lib/auth/run-action";

/**
 * The one shape of a server action; exported from a file that begins with "use server". It looks up who asks, judges
 * the Origin and the role, parses, runs the body, and never throws.
 */
export function action<N extends Need, S extends z.ZodType, T>(
  spec: ActionSpec<N, S, T>,
): (input: z.input<S>) => Promise<ActionResult<T>> {
  return declare({ kind: "action", ...spec }, async (input) => runAction(await requestContext(), spec, input));
}

/** An action that changes something in the world: operators and admins. Its refusals are audited. */
export function operatorAction<S extends z.ZodType, T>(
  name: string,
  input: S,
  body: (asked: Asked<"operator" & Role, z.output<S>>) => Promise<T>,
): (input: z.input<S>) => Promise<ActionResult<T>> {
  return action({ name, role: "operator", input, body });
}

/** As `operatorAction`, for admins alone. */
export function adminAction<S extends z.ZodType, T>(
  name: string,
  input: S,
  body: (asked: Asked<"admin" & Role, z.output<S>>) => Promise<T>,
): (input: z.input<S>) => Promise<ActionResult<T>> {
  return action({ name, role: "admin", input, body });
}
