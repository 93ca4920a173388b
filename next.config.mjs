import { fileURLToPath } from "node:url";

/** Extra origins (beside the request's own) that a server action may come from: the public origin behind a proxy. */
const publicOrigin = process.env.PUBLIC_ORIGIN ? [new URL(process.env.PUBLIC_ORIGIN).host] : [];

/** @type {import('next').NextConfig} */
export default {
  distDir: process.env.BACKSTOP_DIST_DIR ?? ".next",
  // `npm run check` and `npm test` judge the types, of the engine and the scripts too; a start need not do it again.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  images: { unoptimized: true },
  serverExternalPackages: ["pg", "ioredis"],
  turbopack: { root: fileURLToPath(new URL(".", import.meta.url)) },
  experimental: { serverActions: { allowedOrigins: publicOrigin, bodySizeLimit: "256kb" } },
};
