import { describe, expect, it } from "vitest";
import { hashPassword, verifyPassword } from "@/lib/auth/password";

describe("a stored password", () => {
  it("is known again, whatever keyboard wrote it, and no other is", async () => {
    const stored = await hashPassword("Zur Brücke, 1 Pfund Äpfel");
    expect(await verifyPassword("Zur Bru\u0308cke, 1 Pfund A\u0308pfel", stored)).toBe(true);
    expect(await verifyPassword("Zur Brücke, 1 Pfund Apfel", stored)).toBe(false);
    expect(await verifyPassword("", stored)).toBe(false);
  });

  it("carries its parameters and a salt of its own", async () => {
    const [first, second] = await Promise.all([hashPassword("the same twice"), hashPassword("the same twice")]);
    expect(first).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(second).not.toBe(first);
  });

  it("of an earlier, cheaper cost still opens", async () => {
    const { scryptSync } = await import("node:crypto");
    const salt = Buffer.alloc(16, 7);
    const key = scryptSync("an old password", salt, 32, { N: 2 ** 14, r: 8, p: 1 });
    const stored = `scrypt$14$8$1$${salt.toString("base64url")}$${key.toString("base64url")}`;
    expect(await verifyPassword("an old password", stored)).toBe(true);
  });

  it("in an unknown form is an error, not a no", async () => {
    await expect(verifyPassword("x", "$2b$12$abc")).rejects.toThrow("form that this version does not know");
  });

  it("that does not exist takes as long to refuse as one that does", async () => {
    const stored = await hashPassword("somebody's password");
    const fastest = async (hash: string | null) => {
      const times = [];
      for (let round = 0; round < 3; round++) {
        const begun = performance.now();
        expect(await verifyPassword("a wrong password", hash)).toBe(false);
        times.push(performance.now() - begun);
      }
      return Math.min(...times);
    };
    const [known, unknown] = [await fastest(stored), await fastest(null)];
    expect(unknown / known).toBeGreaterThan(0.3);
    expect(unknown / known).toBeLessThan(3);
  });
});
