import { createHash } from "node:crypto";

/** One operation that fails for one reason; each variant with values of its own. */
export type Cause = {
  /** Says what fails and why. Also decides the half, so a name is never changed for its result. */
  name: string;
  /** Makes variant `values.n` fail; throws, or rejects, with the real error. */
  fail: (values: Values) => unknown;
};

/** What differs between the variants of a cause. */
export type Values = {
  n: number;
  id: string;
  otherId: string;
  name: string;
  zone: string;
  word: string;
  number: number;
  time: string;
  path: string;
};

export const VARIANTS = 5;

const NAMES = ["Aldric", "Brenna Vale", "李雷", "O'Hara", "Zoë-9"];
const ZONES = ["harbour", "glade", "old_keep", "zone-12", "Mire of Sorrow"];
const WORDS = ["moonstone", "amulet", "torch", "lantern", "cuirass"];
const TIMES = [
  "2026-11-14 03:29:08+00",
  "2025-01-02T23:59:59.123Z",
  "1999-12-31 00:00:00",
  "2031-06-07 12:00:00+05:45",
  "2026-02-28 08:15:42.5",
];
const PATHS = [
  "/var/lib/backstop-absent/shard-12/zone.json",
  "/srv/backstop-absent/saves/moonstone.json",
  "/tmp/backstop-absent-17/a b/tally.json",
  "/opt/backstop-absent/x.json",
  "/backstop-absent/realm/eu/characters/4711.json",
];

/** Half of the causes, by nothing but their names: these are judged, and never looked at while rules are written. */
export function isSetAside(name: string): boolean {
  return (createHash("sha256").update(name).digest()[0] ?? 0) % 2 === 0;
}

export function valuesOf(n: number): Values {
  return {
    n,
    id: uuid(`id ${n}`),
    otherId: uuid(`other ${n}`),
    name: at(NAMES, n),
    zone: at(ZONES, n),
    word: at(WORDS, n),
    number: [7, 4_711, 90_210, 123_456, 31][n % 5] ?? 0,
    time: at(TIMES, n),
    path: at(PATHS, n),
  };
}

function at(list: readonly string[], n: number): string {
  return list[n % list.length] ?? "";
}

function uuid(of: string): string {
  const hex = createHash("sha256").update(of).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
