import { fileURLToPath } from "node:url";
import { run } from "./services/run";

/**
 * `npm start`, and `npm run dev` with `--dev`: stores (unless given), web, engine and keeper under one supervisor.
 * Exit code 1 with one clear line when it cannot.
 */
const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
process.exit(await run(root, process.env, process.argv.includes("--dev")));
