import { isIP, type Socket, connect as tcpConnect } from "node:net";
import { connect as tlsConnect } from "node:tls";
import type { NotSentCode } from "./result";

export type Connected = { kind: "connected"; socket: Socket } | { kind: "not_sent"; code: NotSentCode };

/**
 * Opens a connection of its own to the engine, TLS included. It is opened before a byte of the request exists, so that a
 * failure here proves that nothing was sent; and straight to the host, so that no proxy of the environment is used.
 */
export function connectTo(url: URL, timeoutMs: number): Promise<Connected> {
  const secure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (secure ? 443 : 80);
  return new Promise((resolve) => {
    const servername = isIP(host) ? {} : { servername: host };
    const socket = secure
      ? tlsConnect({ host, port, ALPNProtocols: ["http/1.1"], ...servername })
      : tcpConnect({ host, port });
    const end = (result: Connected) => {
      clearTimeout(timer);
      socket.removeListener("error", fail);
      // Once it ended, a late error of the same socket has nobody to tell.
      if (result.kind === "not_sent") socket.on("error", () => {}).destroy();
      resolve(result);
    };
    const fail = (error: NodeJS.ErrnoException) => end({ kind: "not_sent", code: codeOf(error) });
    const timer = setTimeout(() => end({ kind: "not_sent", code: "connect_timeout" }), timeoutMs);
    socket.once("error", fail);
    socket.once(secure ? "secureConnect" : "connect", () => end({ kind: "connected", socket }));
  });
}

function codeOf(error: NodeJS.ErrnoException): NotSentCode {
  switch (error.code) {
    case "ECONNREFUSED":
      return "connection_refused";
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAI_FAIL":
      return "host_not_found";
    case "ETIMEDOUT":
      return "connect_timeout";
    default:
      return "unreachable";
  }
}
