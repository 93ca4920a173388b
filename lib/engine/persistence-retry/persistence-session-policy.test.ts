import { expect, test } from "vitest";
import { PersistenceOrigin, sessionImpactOf } from "./persistence-session-policy";

test("every origin has an impact, and none disconnects", () => {
  const policy = Object.fromEntries(PersistenceOrigin.options.map((origin) => [origin, sessionImpactOf(origin)]));
  expect(policy).toEqual({
    background_location: "None",
    session_cleanup: "None",
    session_takeover: "SessionDegraded",
    client_appearance: "SessionDegraded",
    client_equipment: "SessionDegraded",
    gameplay_state: "SessionDegraded",
    combat_rewards: "SessionDegraded",
    transfer_activation: "SessionDegraded",
  });
});
