import { describe, expect, it } from "vitest";
import { addressOf } from "@/lib/auth/address";
import { sessionCookie } from "@/lib/auth/cookie";
import { isForeignRead, judgeOrigin } from "@/lib/auth/origin";

const PUBLIC = "https://desk.example";

describe("the Origin of a request that changes something", () => {
  it.each([
    ["http://localhost:3000", null, "localhost:3000"],
    ["http://127.0.0.1:3000", null, "localhost:3000"],
    ["http://localhost:3000", null, "127.0.0.1:3000"],
    ["http://127.0.0.1:4000", "http://localhost:4000", "anything"],
    [PUBLIC, PUBLIC, "10.0.0.7:3000"],
    [PUBLIC, `${PUBLIC}/`, null],
  ])("%s is accepted (public origin %s, Host %s)", (origin, publicOrigin, host) => {
    expect(judgeOrigin(origin, publicOrigin, host)).toBe("accepted");
  });

  it.each([
    ["a page on another site", "https://evil.example", null, "localhost:3000"],
    ["another program's page on this machine", "http://localhost:8080", null, "localhost:3000"],
    ["a name that an attacker points here", "http://evil.example:3000", null, "evil.example:3000"],
    ["a sandboxed page", "null", null, "localhost:3000"],
    ["the site without its TLS", "http://desk.example", PUBLIC, "desk.example"],
    ["another port of the site", "https://desk.example:8443", PUBLIC, "desk.example"],
    ["a name that begins like the site", "https://desk.example.evil.example", PUBLIC, "desk.example"],
    ["a loopback page, where the site is public", "http://localhost:3000", PUBLIC, "localhost:3000"],
    ["any page, where the request names no host", "http://localhost:3000", null, null],
  ])("%s is foreign", (_who, origin, publicOrigin, host) => {
    expect(judgeOrigin(origin, publicOrigin, host)).toBe("origin_foreign");
  });

  it.each([null, ""])("is missed when it is %j", (origin) => {
    expect(judgeOrigin(origin, null, "localhost:3000")).toBe("origin_missing");
  });
});

describe("Sec-Fetch-Site", () => {
  it.each(["same-origin", "none", null])("%s agrees with an accepted Origin", (site) => {
    expect(judgeOrigin(PUBLIC, PUBLIC, null, site)).toBe("accepted");
  });
  it.each(["cross-site", "same-site", "", "same-origin, cross-site"])("%j contradicts it", (site) => {
    expect(judgeOrigin(PUBLIC, PUBLIC, null, site)).toBe("site_foreign");
  });
  it("makes no foreign or missing Origin right", () => {
    expect(judgeOrigin("https://evil.example", PUBLIC, null, "same-origin")).toBe("origin_foreign");
    expect(judgeOrigin(null, PUBLIC, null, "same-origin")).toBe("origin_missing");
  });
  it("tells a read from within another site's page from a link that is followed", () => {
    expect(["cross-site", "same-site"].map((site) => isForeignRead(site, "no-cors"))).toEqual([true, true]);
    expect(isForeignRead("cross-site", null)).toBe(true);
    expect(isForeignRead("cross-site", "navigate")).toBe(false);
    for (const site of ["same-origin", "none", null]) expect(isForeignRead(site, "cors")).toBe(false);
  });
});

describe("the session's cookie", () => {
  it("is locked to its host by https, and plain on loopback", () => {
    expect(sessionCookie(PUBLIC)).toMatchObject({ name: "__Host-backstop", options: { secure: true, path: "/" } });
    for (const origin of [null, "http://localhost:3000"]) {
      expect(sessionCookie(origin)).toMatchObject({
        name: "backstop",
        options: { httpOnly: true, sameSite: "lax", secure: false, path: "/" },
      });
    }
  });
});

describe("where a request came from", () => {
  it("is this machine on loopback, whatever a header claims", () => {
    expect(addressOf("203.0.113.9", null)).toBe("loopback");
  });
  it("is what the proxy wrote, not what the client did", () => {
    expect(addressOf("1.1.1.1, 203.0.113.9", PUBLIC)).toBe("203.0.113.9");
    for (const odd of [null, "", "x".repeat(100)]) expect(addressOf(odd, PUBLIC)).toBe("unknown");
  });
});
