import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createGate, GateFull } from "@/lib/auth/gate";

describe("a gate", () => {
  it("runs a few at once, lets some wait, and turns the rest away at once", async () => {
    const gate = createGate({ concurrent: 2, waiting: 3 });
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(5);
      running -= 1;
      return "done";
    };
    const results = await Promise.allSettled(Array.from({ length: 9 }, () => gate(work)));
    expect(most).toBe(2);
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(5);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toBeInstanceOf(GateFull);
  });

  it("gives its place back when the work throws", async () => {
    const gate = createGate({ concurrent: 1, waiting: 0 });
    const broken = async () => {
      throw new Error("broken");
    };
    await expect(gate(broken)).rejects.toThrow("broken");
    await expect(gate(broken)).rejects.toThrow("broken");
    await expect(gate(async () => "fine")).resolves.toBe("fine");
  });
});
