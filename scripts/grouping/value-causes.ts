import { z } from "zod";
import type { Cause, Values } from "./cause";

type Player = {
  gold: { total: number };
  zone: { name: string };
  inventory: { slots: string[] };
  level: number;
  save: () => void;
  equip: (item: string) => void;
};
/** What is not there, though its type says so: as a row of another version, or an answer that was not parsed. */
const player = (having: object = {}) => having as Player;
const nobody = undefined as unknown as Player;
const nothing = null as unknown as Player;

const PARSED: [string, (values: Values) => string][] = [
  ["JSON with a stray word", ({ number, word }) => `{"gold": ${number}, "zone": ${word}}`],
  ["JSON is a page of HTML", ({ number }) => `<!DOCTYPE html><title>${500 + (number % 5)}</title>`],
  ["JSON is cut off after a colon", ({ word }) => `{"${word}":`],
  ["JSON is cut off in a text", ({ name }) => `{"name": "${name}`],
  ["JSON is empty", () => ""],
  ["JSON without a comma", ({ id, number }) => `{"id": "${id}" "gold": ${number}}`],
  ["JSON list without a comma", ({ number }) => `[${number} ${number}]`],
  ["JSON with a trailing comma", ({ word, number }) => `{"${word}": ${number},}`],
  ["JSON with more after its end", ({ id, number }) => `{"id": "${id}"} ${number}`],
  ["JSON with a line break in a text", ({ name, id }) => `{"id": "${id}", "name": "${name}\n"}`],
  ["JSON with an unknown escape", ({ word }) => `{"path": "C:\\${word.replace(/^[tnbrfu]/, "x")}"}`],
  ["JSON with half an escape", ({ word }) => `{"${word}": "\\u12"}`],
  ["JSON with a minus alone", ({ word }) => `{"${word}": -}`],
  ["JSON is an object already", ({ id }) => ({ id }) as unknown as string],
  ["JSON is undefined", () => undefined as unknown as string],
];

const CODE: Cause[] = [
  { name: "gold of nobody", fail: () => nobody.gold.total },
  { name: "zone of nobody", fail: () => nobody.zone.name },
  { name: "inventory of null", fail: () => nothing.inventory },
  { name: "total of no gold", fail: ({ number }) => player({ level: number }).gold.total },
  {
    name: "slot of no inventory",
    fail: ({ n }) => (player({ inventory: { slots: undefined } }).inventory.slots as string[])[n],
  },
  { name: "level is set on nobody", fail: ({ number }) => Object.assign(nobody.zone, { number }) },
  {
    name: "level of nobody is set",
    fail: ({ number }) => {
      nobody.level = number;
    },
  },
  { name: "player cannot save", fail: ({ name }) => player({ name }).save() },
  { name: "player cannot equip", fail: ({ word }) => player().equip(word) },
  { name: "zones are no list", fail: ({ number }) => [...(number as unknown as string[])] },
  { name: "object of nothing", fail: () => Object.keys(nothing) },
  {
    name: "gold is taken out of nothing",
    fail: () => {
      const { gold } = nothing;
      return gold;
    },
  },
  {
    name: "frozen player is changed",
    fail: ({ number }) => {
      const frozen: Player = Object.freeze(player({ level: 1 }));
      frozen.level = number;
    },
  },
  { name: "frozen player gets a title", fail: ({ word }) => Object.assign(Object.freeze({}), { title: word }) },
  { name: "amounts of two types", fail: ({ number }) => (BigInt(number) as unknown as number) + number },
  { name: "amount is no whole number", fail: ({ number }) => BigInt(number + 0.5) },
  { name: "amount is no number", fail: ({ word }) => BigInt(word) },
  { name: "amount by zero", fail: ({ number }) => BigInt(number) / BigInt(0) },
  { name: "amount does not serialise", fail: ({ number }) => JSON.stringify({ gold: BigInt(number) }) },
  {
    name: "player knows himself",
    fail: ({ name }) => {
      const self: Record<string, unknown> = { name };
      self.leader = self;
      return JSON.stringify(self);
    },
  },
  { name: "list of an impossible length", fail: ({ n }) => new Array(-1 - n) },
  { name: "text is repeated less than never", fail: ({ word, number }) => word.repeat(-number) },
  { name: "too many decimals", fail: ({ number }) => number.toFixed(101 + number) },
  { name: "base is too high", fail: ({ number }) => number.toString(37 + number) },
  { name: "time is none", fail: ({ word }) => new Date(word).toISOString() },
  { name: "zone of time is unknown", fail: ({ word }) => new Intl.DateTimeFormat("en", { timeZone: `Realm/${word}` }) },
  { name: "language is none", fail: ({ word }) => Intl.getCanonicalLocales(`${word}_realm_${word}`) },
  { name: "address is not decodable", fail: ({ n }) => decodeURIComponent(`/zone/%E${n}`) },
  { name: "pattern is not closed", fail: ({ word }) => new RegExp(`(${word}`) },
  { name: "pattern repeats nothing", fail: ({ word }) => new RegExp(`*${word}`) },
  {
    name: "calls without an end",
    fail: ({ n }) => {
      const down = (depth: number): number => down(depth + 1) + 1;
      return down(n);
    },
  },
  {
    name: "name is used before it is there",
    fail: ({ number }) => {
      const use = () => later + number;
      use();
      const later = number;
    },
  },
];

const Reward = z.strictObject({
  character_id: z.uuid(),
  amount: z.int().min(1),
  kind: z.enum(["gold", "item"]),
  items: z.array(z.object({ item_id: z.string(), count: z.number() })).default([]),
  issued_at: z.iso.datetime().optional(),
});
const reward = ({ id, number }: Values) => ({ character_id: id, amount: number, kind: "gold" });
const SHAPES: [string, (values: Values) => unknown][] = [
  ["reward without an amount in its shape", (v) => ({ ...reward(v), amount: undefined })],
  ["reward's amount is text", (v) => ({ ...reward(v), amount: v.word })],
  ["reward's amount is too small", (v) => ({ ...reward(v), amount: -v.number })],
  ["reward of an unknown kind", (v) => ({ ...reward(v), kind: v.word })],
  ["reward for what is no uuid", (v) => ({ ...reward(v), character_id: v.name })],
  ["reward without a character", (v) => ({ ...reward(v), character_id: undefined })],
  [
    "item of a reward is not counted",
    (v) => ({ ...reward(v), items: [...Array(v.n).fill({ item_id: v.word, count: 1 }), { item_id: v.word }] }),
  ],
  ["items of a reward are text", (v) => ({ ...reward(v), items: v.word })],
  ["reward with an unknown field", (v) => ({ ...reward(v), sender: v.name })],
  ["reward of no time", (v) => ({ ...reward(v), issued_at: v.word })],
  ["reward is text", (v) => v.name],
];

/** A game server may save the stack as well. Who called differs further down. */
const STACKS: Cause[] = ["grant", "revoke"].map((verb) => ({
  name: `stack of a failed ${verb}`,
  fail({ n, word }) {
    const inner = { [verb]: () => player({ word }).zone.name }[verb] as () => string;
    const settle = () => `${inner()}.`;
    const work = () => `${settle()}.`;
    const callers = [() => `${work()}1`, () => `${work()}2`, () => [work()], () => ({ done: work() })];
    try {
      callers[n % callers.length]?.();
    } catch (error) {
      throw new Error((error as Error).stack);
    }
  },
}));

/** What a program's own values make it run into: JSON, code, shapes. */
export const VALUE_CAUSES: Cause[] = [
  ...PARSED.map(([name, text]) => ({ name, fail: (values: Values) => JSON.parse(text(values)) })),
  ...CODE,
  ...SHAPES.map(([name, value]) => ({ name, fail: (values: Values) => Reward.parse(value(values)) })),
  ...STACKS,
];
