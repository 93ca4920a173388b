import { ROLES, type Role } from "@/lib/auth/role";

/** Who may: a role, or `anyone` (nobody is signed in yet: set-up, sign-in, sign-out). */
export type Need = Role | "anyone";

/** What an action or a route has declared of itself. */
export type Declared = {
  kind: "action" | "route";
  name: string;
  role: Need;
  /** It touches every queue: who is limited to some may not. */
  everyQueue?: true | undefined;
};

const MARK = Symbol.for("backstop.declared");
const NEEDS: readonly unknown[] = ["anyone", ...ROLES];

/**
 * Registers an action or a route with the role that it needs; throws where it names none, so that its file does not
 * load. What is exported without this is found by the test of all exports.
 */
export function declare<F extends (...given: never[]) => unknown>(declared: Declared, body: F): F {
  if (!NEEDS.includes(declared.role))
    throw new Error(`The ${declared.kind} ${declared.name} names no role, so it is not registered.`);
  const { kind, name, role, everyQueue } = declared;
  return Object.defineProperty(body, MARK, { value: { kind, name, role, everyQueue } satisfies Declared });
}

/** What a function has declared; null: it is neither an action nor a route of ours. */
export function declaredOf(body: unknown): Declared | null {
  return typeof body === "function" ? ((body as { [MARK]?: Declared })[MARK] ?? null) : null;
}
