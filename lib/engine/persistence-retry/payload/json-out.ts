/** A JSON object of values that are JSON already: amounts go out as the digits they are. */
export function jsonObject(fields: Record<string, string>): string {
  const members = Object.entries(fields).map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{${members.join(",")}}`;
}

/** What every payload begins with. */
export function encodeHead(payload: { kind: string; characterId: string; realmId: string; zoneId: string | null }) {
  return {
    kind: JSON.stringify(payload.kind),
    character_id: JSON.stringify(payload.characterId),
    realm_id: JSON.stringify(payload.realmId),
    zone_id: JSON.stringify(payload.zoneId),
  };
}
