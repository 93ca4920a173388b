import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lockStateDir, StateDirHeld, waitForLock } from "./lock";
import { killHard } from "./scratch";

const folder = mkdtempSync(join(tmpdir(), "backstop-lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("one holder at a time, under whatever name; the other is told who; it can be waited for", async () => {
  const alias = `${folder}-alias`;
  symlinkSync(folder, alias);
  const unlock = await lockStateDir(folder);
  await expect(lockStateDir(alias)).rejects.toThrow(StateDirHeld);
  await expect(lockStateDir(folder)).rejects.toThrow(`process ${process.pid}`);
  const waiting = waitForLock(folder);
  await unlock();
  await (await waiting)();
  rmSync(alias);
});

test("of many at once exactly one gets it", async () => {
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockStateDir(folder)));
  const held = tries.filter((result) => result.status === "fulfilled");
  expect(held).toHaveLength(1);
  await held[0]?.value();
});

test("it dies with its holder", async () => {
  const program = `import { lockStateDir } from "./scripts/services/lock.ts";
    await lockStateDir(${JSON.stringify(folder)}); console.log("held"); setInterval(() => {}, 60_000);`;
  const args = ["--import", "tsx", "--input-type=module", "-e", program];
  const holder = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  await expect(lockStateDir(folder)).rejects.toThrow(`process ${holder.pid}`);
  await killHard(holder);
  await (await lockStateDir(folder))();
});
