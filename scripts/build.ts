import { fileURLToPath } from "node:url";
import { build } from "./services/next-build";

/** `npm run build`: builds the desk, whether or not its sources have changed. */
const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
try {
  const tookMs = await build(root, process.env);
  console.log(`Built in ${(tookMs / 1_000).toFixed(1)} s.`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
