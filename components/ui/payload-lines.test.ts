import { describe, expect, it } from "vitest";
import { BUILT_IN } from "@/lib/domain/mask-finders";
import { viewPayload } from "@/lib/domain/payload-view";
import { payloadLines } from "./payload-lines";

const source = '{"gold":9007199254740993,"session_token":"abcdef","rewards":{"items":[1,"a"]},"n":null}';
const view = viewPayload(source, BUILT_IN) ?? { text: "", raw: "", masked: [] };

describe("the lines of a payload", () => {
  it("give back the shown text, character by character", () => {
    const lines = payloadLines(view.text, view.masked);
    expect(lines.map((line) => line.parts.map((part) => part.text).join("")).join("\n")).toBe(view.text);
  });

  it("turn exactly the masked values into chips", () => {
    const chips = payloadLines(view.text, view.masked).flatMap((line) =>
      line.parts.filter((part) => part.kind === "redacted"),
    );
    expect(chips.map((chip) => chip.text)).toEqual(['"‹redacted, 6 bytes›"']);
  });

  it("do not take a value for a chip because it looks like one", () => {
    const text = '{\n  "note": "‹redacted, 6 bytes›"\n}';
    expect(payloadLines(text, []).flatMap((line) => line.parts.map((part) => part.kind))).not.toContain("redacted");
  });

  it("mark a field down to the bracket that closes it", () => {
    const marked = payloadLines(view.text, view.masked, ["rewards"]).filter((line) => line.marked);
    expect(
      marked.map((line) =>
        line.parts
          .map((part) => part.text)
          .join("")
          .trim(),
      ),
    ).toEqual(['"rewards": {', '"items": [', "1,", '"a"', "]", "},"]);
  });

  it("show what is not JSON as it is", () => {
    expect(payloadLines("not json\nat all", []).map((line) => line.parts[0]?.text)).toEqual(["not json", "at all"]);
  });
});
