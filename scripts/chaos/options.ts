import { parseArgs } from "node:util";

/** What can be run by itself. */
const PARTS = ["engine", "keeper", "journal"] as const;
export type Part = (typeof PARTS)[number];

export type Options = {
  parts: readonly Part[];
  engineKills: number;
  postgresKills: number;
  producerKills: number;
  cuts: number;
  freezes: number;
  modelRuns: number;
  keeperKills: number;
  journalKills: number;
  redisKills: number;
  tailCuts: number;
  /** No new round begins after so long; null: all of them. */
  minutes: number | null;
  seed: number;
};

export const USAGE = `npm run chaos -- [engine | keeper | journal] [--engine-kills N] [--postgres-kills N] [--producer-kills N] [--cuts N] [--freezes N]
                  [--model-runs N] [--keeper-kills N] [--journal-kills N] [--redis-kills N]
                  [--tail-cuts N] [--minutes N] [--seed N]`;

/** Throws where an argument is no count. Without arguments: the counts that docs/reliability.md reports. */
export function parseOptions(args: string[]): Options {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      "engine-kills": text,
      "postgres-kills": text,
      "producer-kills": text,
      cuts: text,
      freezes: text,
      "model-runs": text,
      "keeper-kills": text,
      "journal-kills": text,
      "redis-kills": text,
      "tail-cuts": text,
      minutes: text,
      seed: text,
    },
  });
  const whole = (name: keyof typeof values, usual: number) => {
    const given = values[name];
    if (given === undefined) return usual;
    if (!/^\d{1,9}$/.test(given)) throw new Error(`--${name} is a whole number, and not "${given}".\n${USAGE}`);
    return Number(given);
  };
  const isPart = (name: string): name is Part => PARTS.some((part) => part === name);
  for (const name of positionals) if (!isPart(name)) throw new Error(`There is no part "${name}".\n${USAGE}`);
  const parts = positionals.filter(isPart);
  return {
    parts: parts.length > 0 ? parts : PARTS,
    engineKills: whole("engine-kills", 100),
    postgresKills: whole("postgres-kills", 100),
    producerKills: whole("producer-kills", 10),
    cuts: whole("cuts", 100),
    freezes: whole("freezes", 12),
    modelRuns: whole("model-runs", 1_000),
    keeperKills: whole("keeper-kills", 100),
    journalKills: whole("journal-kills", 100),
    redisKills: whole("redis-kills", 100),
    tailCuts: whole("tail-cuts", 10),
    minutes: values.minutes === undefined ? null : whole("minutes", 0),
    seed: whole("seed", Math.floor(Math.random() * 1_000_000_000)),
  };
}
