import { foundActions, foundRoutes } from "./declared";

/**
 * For the browser tests, which cannot load what runs within Next: every action and route with the role that it declares,
 * as JSON. Run as `node --import tsx --import ./scripts/testing/without-server-only.mjs …`.
 */
console.log(JSON.stringify({ actions: await foundActions(), routes: await foundRoutes() }));
process.exit(0);
