import { describe, expect, it } from "vitest";
import { hrefWith, queryString, toggled } from "./query";

describe("the address of a view", () => {
  it("is readable, keeps its order and leaves out what is empty", () => {
    const query = { state: "open,recovered", died: "02:58..03:41", kind: "", q: "zone_id 418 & more" };
    expect(queryString(query)).toBe("?state=open,recovered&died=02:58..03:41&q=zone_id%20418%20%26%20more");
    expect(queryString({})).toBe("");
  });

  it("goes back to the first page when a filter changes", () => {
    const query = { state: "due", after: "cursor", sort: "oldest" };
    expect(hrefWith("/retries", query, "kind", "mail")).toBe("/retries?state=due&sort=oldest&kind=mail");
    expect(hrefWith("/retries", query, "state", null)).toBe("/retries?sort=oldest");
  });

  it("survives being read back", () => {
    const odd = "a=b&c#d,%é";
    const href = hrefWith("/x", {}, "q", odd);
    expect(new URL(href, "http://desk").searchParams.get("q")).toBe(odd);
  });
});

describe("picking a value", () => {
  it("replaces, or adds where several may hold, and a second pick takes it away", () => {
    expect(toggled(["a"], "b", false)).toEqual(["b"]);
    expect(toggled(["a"], "b", true)).toEqual(["a", "b"]);
    expect(toggled(["a", "b"], "a", true)).toEqual(["b"]);
  });
});
