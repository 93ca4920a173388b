import { expect, test } from "vitest";
import { PersistenceOrigin, PersistenceSessionImpact, sessionImpactOf } from "./persistence-session-policy";

const impacts = PersistenceOrigin.options.map((origin) => [origin, sessionImpactOf(origin)] as const);

test("every origin that the seed names has its impact", () => {
  expect(Object.fromEntries(impacts)).toEqual({
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

test("DisconnectRequired is reserved: it can be said, and no origin maps to it", () => {
  expect(PersistenceSessionImpact.options).toContain("DisconnectRequired");
  expect(impacts.filter(([, impact]) => impact === "DisconnectRequired")).toEqual([]);
});
