import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { createGate } from "@/lib/auth/gate";

export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 256;

type Cost = { logN: number; r: number; p: number };
/** 32 MiB and about a quarter of a second on one core of a small machine. */
const COST: Cost = { logN: 15, r: 8, p: 3 };
const KEY_BYTES = 32;

/** Two at once hold 64 MiB; the rest stands in line, and a flood is turned away. */
const gate = createGate({ concurrent: 2, waiting: 32 });

// Two keyboards may write one letter in two ways.
const bytesOf = (password: string) => Buffer.from(password.normalize("NFKC"), "utf8");

function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** logN;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return gate(
    () =>
      new Promise((resolve, reject) =>
        scrypt(bytesOf(password), salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key))),
      ),
  );
}

/** A password that a program makes: 120 random bits, shown once to whoever hands it on. */
export function newPassword(): string {
  return randomBytes(15).toString("base64url");
}

/** `scrypt$logN$r$p$salt$key`, so that a later cost does not lock anybody out. Throws `GateFull` in a flood. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ["scrypt", COST.logN, COST.r, COST.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

const STORED = /^scrypt\$(\d{2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22,})\$([\w-]{43})$/;

/**
 * Whether the password is the one that was stored. Without a stored one (no such user) it takes as long and says no,
 * so that the time does not tell who has an account. Throws `GateFull` in a flood.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const parts = stored === null ? null : STORED.exec(stored);
  if (stored !== null && !parts) throw new Error("A stored password has a form that this version does not know");
  if (!parts) {
    await derive(password, randomBytes(16), COST);
    return false;
  }
  const [, logN, r, p, salt = "", key = ""] = parts;
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  return timingSafeEqual(await derive(password, Buffer.from(salt, "base64url"), cost), Buffer.from(key, "base64url"));
}
