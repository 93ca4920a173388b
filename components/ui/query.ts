/** The parameters of a view, as they stand in its address. */
export type Query = Readonly<Record<string, string | undefined>>;

/** Parameters that name a place in a list: with another filter they name nothing, so a change of filter drops them. */
const PLACES = new Set(["after", "before"]);

/** Commas separate values and stay readable; a value that holds one is not offered as a choice. */
const encode = (text: string) => encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":");

/** `?state=open,recovered&kind=combat_rewards`, or nothing; parameters keep their order and empty ones are left out. */
export function queryString(query: Query): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value)
    .map(([key, value]) => `${encode(key)}=${encode(value ?? "")}`);
  return parts.length > 0 ? `?${parts.join("&")}` : "";
}

/** The address of the same view with `key` set to `value`, or without it, from the first page on. */
export function hrefWith(path: string, query: Query, key: string, value: string | null): string {
  const kept = Object.fromEntries(Object.entries(query).filter(([name]) => !PLACES.has(name)));
  return path + queryString({ ...kept, [key]: value ?? undefined });
}

/** The chosen values after `value` was picked: alone, or put to or taken from the others. */
export function toggled(selected: readonly string[], value: string, multiple: boolean): string[] {
  if (selected.includes(value)) return selected.filter((each) => each !== value);
  return multiple ? [...selected, value] : [value];
}
