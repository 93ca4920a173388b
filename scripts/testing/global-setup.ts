import type { TestProject } from "vitest/node";
import { type GivenToTests, openTestServers } from "./test-servers";

declare module "vitest" {
  interface ProvidedContext {
    stores: GivenToTests;
  }
}

/** Set by who runs many short runs and keeps the servers between them: what `openTestServers` gave, as JSON. */
const GIVEN = "BACKSTOP_TEST_SERVERS";

/** One Postgres and one Redis for the whole run of the store tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kept = process.env[GIVEN];
  const { given, close } = kept
    ? { given: JSON.parse(kept) as GivenToTests, close: async () => {} }
    : await openTestServers(project.config.root);
  project.provide("stores", given);
  return close;
}
