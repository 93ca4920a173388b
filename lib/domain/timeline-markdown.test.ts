import { expect, test } from "vitest";
import { code, plain, timelineMarkdown } from "./timeline-markdown";

test("what others wrote is one line and no markup", () => {
  expect(plain("# [x](javascript:1)\n<script>*a*|b_`c`")).toBe(
    "\\# \\[x\\]\\(javascript:1\\) \\<script\\>\\*a\\*\\|b\\_\\`c\\`",
  );
  expect(code("a `b` ``c``")).toBe("``` a `b` ``c`` ```");
  expect(code("plain")).toBe("`plain`");
});

test("what others wrote turns no direction and steers no terminal: such characters stand under their names", () => {
  expect(plain("paid \u202etwice\u0007 \u0085")).toBe("paid ‹RLO›twice‹BEL› ‹U\\+0085›");
  expect(code("\u001b[31mred\u2066")).toBe("`‹ESC›[31mred‹LRI›`");
});

test("entries stand in the order of their time, under their day", () => {
  const day = Date.UTC(2026, 10, 14);
  const text = timelineMarkdown(
    { fromMs: day - 60_000, toMs: day + 60_000 },
    ["2 letters"],
    [
      { atMs: day + 1_000, text: "later" },
      { atMs: day - 1_000, text: "sooner" },
    ],
  );
  const [sooner, later] = [
    text.indexOf("### 2026-11-13\n\n- **23:59:59** sooner"),
    text.indexOf("### 2026-11-14\n\n- **00:00:01** later"),
  ];
  expect(sooner).toBeGreaterThan(0);
  expect(later).toBeGreaterThan(sooner);
});
