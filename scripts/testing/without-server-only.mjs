import { register } from "node:module";

// Outside Next the package throws, so that no browser code imports what is the server's. What runs here is neither.
const hook = `export const resolve = (name, context, next) =>
  name === "server-only" ? { url: "data:text/javascript,", shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
