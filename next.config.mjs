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
  // Another port of the same host is the same site: its pages must not be able to frame the desk and have it clicked.
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "Content-Security-Policy", value: "frame-ancestors 'none'" },
        { key: "X-Frame-Options", value: "DENY" },
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "Referrer-Policy", value: "same-origin" },
      ],
    },
  ],
  images: { unoptimized: true },
  serverExternalPackages: ["pg", "ioredis"],
  turbopack: { root: fileURLToPath(new URL(".", import.meta.url)) },
  experimental: { serverActions: { allowedOrigins: publicOrigin, bodySizeLimit: "256kb" } },
};
