import { config } from "@/lib/config";

/** How this installation is called on the screens: its name, and under it `Demo` or the address that it is known by. */
export function environment(): { name: string; kind: string } {
  const { envName, demo, publicOrigin, host, port } = config();
  if (demo) return { name: envName, kind: "Demo" };
  return { name: envName, kind: publicOrigin ? new URL(publicOrigin).host : `${host}:${port}` };
}
