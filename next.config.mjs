import { fileURLToPath } from "node:url";

/** Extra origins (beside the request's own) that a server action may come from: the public origin behind a proxy. */
const publicOrigin = process.env.PUBLIC_ORIGIN ? [new URL(process.env.PUBLIC_ORIGIN).host] : [];

/** What browsers offer to pages and none of ours asks for. The clipboard is not among them: "copy" writes to it. */
const UNUSED = ["camera", "microphone", "geolocation", "payment", "usb", "serial", "hid", "midi", "display-capture"];

/** @type {import('next').NextConfig} */
export default {
  distDir: process.env.BACKSTOP_DIST_DIR ?? ".next",
  // `npm run check` and `npm test` judge the types, of the engine and the scripts too; a start need not do it again.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  // Another port of the same host is the same site: its pages must not be able to frame the desk and have it clicked.
  // What only a page needs (its policy with a nonce, HSTS) is set in proxy.ts; what is no page may load nothing at all.
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "X-Frame-Options", value: "DENY" },
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "Referrer-Policy", value: "same-origin" },
        { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
        { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
        { key: "Permissions-Policy", value: UNUSED.map((name) => `${name}=()`).join(", ") },
      ],
    },
    {
      source: "/:root(api|_next|fonts)/:path*",
      headers: [{ key: "Content-Security-Policy", value: "default-src 'none'; frame-ancestors 'none'" }],
    },
    {
      source: "/icon.svg",
      headers: [{ key: "Content-Security-Policy", value: "default-src 'none'; frame-ancestors 'none'" }],
    },
  ],
  images: { unoptimized: true },
  serverExternalPackages: ["pg", "ioredis"],
  turbopack: { root: fileURLToPath(new URL(".", import.meta.url)) },
  experimental: { serverActions: { allowedOrigins: publicOrigin, bodySizeLimit: "256kb" } },
};
