import type { Redis } from "ioredis";
import type { Cause, Values } from "./cause";

type Command = [string, ...(string | number)[]];
type Try = [name: string, fails: (values: Values) => Command, before?: (values: Values) => Command[]];

const key = ({ id }: Values) => `session:${id}`;
const stream = ({ zone }: Values) => `events:${zone}`;
const added = (values: Values): Command[] => [
  ["xadd", stream(values), "5-1", "a", "b"],
  ["xgroup", "create", stream(values), "workers", "$"],
];

const VALUES: Try[] = [
  ["list command on a string", (v) => ["lpush", key(v), v.name], (v) => [["set", key(v), v.name]]],
  ["counter is no integer", (v) => ["incr", key(v)], (v) => [["set", key(v), v.name]]],
  ["step is no integer", (v) => ["incrby", key(v), v.word]],
  ["counter overflows", (v) => ["incrby", key(v), 10 + v.n], (v) => [["set", key(v), "9223372036854775800"]]],
  ["counter is no float", (v) => ["incrbyfloat", key(v), v.word]],
  ["field is no integer", (v) => ["hincrby", key(v), "gold", 1], (v) => [["hset", key(v), "gold", v.name]]],
  ["field is no float", (v) => ["hincrbyfloat", key(v), "gold", "1"], (v) => [["hset", key(v), "gold", v.name]]],
  ["score is no float", (v) => ["zadd", key(v), v.word, v.name]],
  ["score's bounds are no floats", (v) => ["zrangebyscore", key(v), v.word, v.name]],
  ["lexical bounds are none", (v) => ["zrangebylex", key(v), v.word, v.name]],
  ["index is outside of the list", (v) => ["lset", key(v), v.number, v.name], (v) => [["rpush", key(v), "a"]]],
  ["list is missing", (v) => ["lset", key(v), 0, v.name]],
  ["offset is out of range", (v) => ["setrange", key(v), -1 - v.n, v.name]],
  ["bit is neither 0 nor 1", (v) => ["setbit", key(v), v.n, v.number]],
  ["bit's place is out of range", (v) => ["setbit", key(v), -v.number, 1]],
  ["string would be too long", (v) => ["setrange", key(v), 536_870_911 + v.n, "xy"]],
  ["key to restore is there", (v) => ["restore", key(v), 0, "x"], (v) => [["set", key(v), v.name]]],
  ["dump is broken", (v) => ["restore", key(v), 0, `${v.word}0123456789`]],
  ["coordinates are out of range", (v) => ["geoadd", key(v), 181 + v.number, 45.5, v.name]],
  ["expiry of set is not positive", (v) => ["set", key(v), v.name, "ex", -v.number]],
  ["expiry of setex is not positive", (v) => ["setex", key(v), -v.n, v.name]],
  ["expiry is no integer", (v) => ["expire", key(v), v.word]],
  ["no such counted log", (v) => ["pfadd", key(v), v.name], (v) => [["set", key(v), v.name]]],
  ["number of keys is below zero", (v) => ["eval", "return 1", -1 - v.n]],
  ["number of keys is too high", (v) => ["eval", "return 1", 5 + v.number, key(v)]],
];

const COMMANDS: Try[] = [
  ["command jsonset is unknown", (v) => ["jsonset", key(v), v.name, "x"]],
  ["command topkadd is unknown", (v) => ["topkadd", key(v), v.word]],
  ["subcommand of client is unknown", () => ["client", "rename"]],
  ["get with too many arguments", (v) => ["get", key(v), v.name]],
  ["hset with too few arguments", (v) => ["hset", key(v), v.name]],
  ["lpush with too few arguments", (v) => ["lpush", key(v)]],
  ["set with a stray word", (v) => ["set", key(v), v.name, v.word]],
  ["set with contrary options", (v) => ["zadd", key(v), "nx", "xx", v.number, v.name]],
  ["rename of a missing key", (v) => ["rename", key(v), v.otherId]],
  ["database is out of range", (v) => ["select", 1_000 + v.number]],
  ["exec without multi", () => ["exec"]],
  ["discard without multi", () => ["discard"]],
  ["parameter's value is not taken", (v) => ["config", "set", "maxmemory-policy", v.word]],
  ["parameter is unknown to Redis", (v) => ["config", "set", "retrylimits", v.number]],
  ["no script is running", () => ["script", "kill"]],
  ["timeout is no float", (v) => ["blpop", key(v), v.word]],
  ["timeout is below zero", (v) => ["blpop", key(v), -v.number]],
  ["cursor is none", (v) => ["scan", v.word]],
];

const STREAMS: Try[] = [
  ["group is there already", (v) => ["xgroup", "create", stream(v), "workers", "$"], added],
  ["group is missing", (v) => ["xreadgroup", "group", `w-${v.word}`, "me", "streams", stream(v), ">"], added],
  ["group on a missing stream", (v) => ["xgroup", "create", key(v), "workers", "$"]],
  ["entry's id is none", (v) => ["xadd", stream(v), v.word, "a", "b"]],
  ["entry's id is too small", (v) => ["xadd", stream(v), `1-${v.n}`, "a", "b"], added],
  ["streams without as many ids", (v) => ["xread", "streams", stream(v), v.word, "0"]],
];

const SCRIPTS: Try[] = [
  ["script is not loaded", (v) => ["evalsha", v.id.replaceAll("-", "").padEnd(40, "0"), 0]],
  ["script does not compile", (v) => ["eval", `return return -- ${v.word}`, 0]],
  ["script reads a field of nil", (v) => ["eval", "local a = nil; return a.gold", 1, key(v)]],
  ["script adds to a table", (v) => ["eval", "local a = {}; return a + #KEYS[1]", 1, key(v)]],
  ["script knows no such variable", (v) => ["eval", "return entry_limit", 1, key(v)]],
  ["script raises with an entry", (v) => ["eval", "return error('entry ' .. ARGV[1] .. ' has no head')", 0, v.id]],
  ["script refuses a lease", (v) => ["eval", "return redis.error_reply('LEASE held until ' .. ARGV[1])", 0, v.time]],
  [
    "script calls on a wrong type",
    (v) => ["eval", "return redis.call('lpop', KEYS[1])", 1, key(v)],
    (v) => [["set", key(v), 1]],
  ],
  ["script calls with wrong arguments", (v) => ["eval", "return redis.call('lpush', KEYS[1])", 1, key(v)]],
  ["script's JSON is broken", (v) => ["eval", "return cjson.decode(ARGV[1])", 0, `{"gold": ${v.number}, ${v.word}`]],
];

/** What one command of a user who may do all runs into. Keys are each variant's own and are removed before it. */
export function redisCauses(redis: Redis): Cause[] {
  return [VALUES, COMMANDS, STREAMS, SCRIPTS].flat().map(([name, fails, before]) => ({
    name,
    async fail(values) {
      await redis.del(key(values), stream(values), values.otherId);
      for (const command of before?.(values) ?? []) await redis.call(...command);
      await redis.call(...fails(values));
    },
  }));
}
