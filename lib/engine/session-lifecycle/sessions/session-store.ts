import { createHash } from "node:crypto";
import type { Redis } from "ioredis";

/** Templates of the keys, with `<token>` and `<character_id>` in the places of what they are of. */
export type SessionKeys = { active: string; resume: string; presence: string };

/** How long each lives without being written again. Ms. */
export const SESSION_TTL = { activeMs: 60_000, resumeMs: 15 * 60_000, onlineMs: 60_000, awayMs: 15 * 60_000 };

/** Realtime sessions in Redis. Its functions take it as their first argument. */
export type SessionStore = {
  /** A connection that sends nothing twice. */
  redis: Redis;
  keys: SessionKeys;
};

const at = (template: string, place: string, value: string) => template.split(place).join(value);

export const activeKey = ({ keys }: SessionStore, token: string) => at(keys.active, "<token>", token);
export const resumeKey = ({ keys }: SessionStore, token: string) => at(keys.resume, "<token>", token);
export const presenceKey = ({ keys }: SessionStore, characterId: string) =>
  at(keys.presence, "<character_id>", characterId);

/** By which a presence says whose it is: the token itself stands in no value. */
export const sessionMark = (token: string) => createHash("sha256").update(token).digest("hex").slice(0, 32);
