/** What an answer of INFO says, by its names. */
export type RedisInfo = ReadonlyMap<string, string>;

export function parseInfo(info: string): RedisInfo {
  const fields = new Map(
    info.split("\n").flatMap((line): [string, string][] => {
      const [name, value] = line.trim().split(/:(.*)/s);
      return name && value !== undefined ? [[name, value]] : [];
    }),
  );
  // While Redis loads its data it calls the append-only file off, however it is set.
  if (fields.get("loading") === "1") fields.delete("aof_enabled");
  return fields;
}

/** A replica as its primary sees it. `behindBytes`, `lagS` null: not told. */
export type Replica = { name: string; state: string; behindBytes: number | null; lagS: number | null };

/** `slave0:ip=10.0.0.2,port=6379,state=online,offset=12,lag=1` */
export function replicasOf(info: RedisInfo): Replica[] {
  const sent = Number(info.get("master_repl_offset"));
  return [...info].flatMap(([name, value]): Replica[] => {
    if (!/^slave\d+$/.test(name)) return [];
    const parts = new Map(value.split(",").map((part) => part.split("=") as [string, string]));
    const number = (key: string) => (/^\d+$/.test(parts.get(key) ?? "") ? Number(parts.get(key)) : null);
    const offset = number("offset");
    return [
      {
        name: `${parts.get("ip") ?? "?"}:${parts.get("port") ?? "?"}`,
        state: parts.get("state") ?? "not told",
        behindBytes: offset === null || Number.isNaN(sent) ? null : Math.max(0, sent - offset),
        lagS: number("lag"),
      },
    ];
  });
}
