import { describe, expect, it } from "vitest";
import { judgeUrl, judgeWebSearch } from "./kinds/web.ts";

describe("the policy for addresses", () => {
  it.each([
    ["https://example.com/", "new"],
    ["https://docs.python.org/3/library/os.html#os.walk", "new"],
    ["https://github.com/owner/repo/blob/main/README.md", "new"],
    ["http://8.8.8.8/", "new"],
    ["http://localhost:3000/?q=1", "ask"],
    ["http://192.168.1.1/", "ask"],
    ["http://169.254.169.254/latest/meta-data", "ask"],
    ["http://2130706433/", "ask"],
    ["file:///etc/passwd", "ask"],
    ["nonsense", "ask"],
    ["https://user:pw@example.com/", "ask"],
  ])("judges %s as %s, without a class", (url, verdict) => {
    expect(judgeUrl(url).verdict).toBe(verdict);
    expect(judgeUrl(url).units[0]?.class).toBeUndefined();
  });

  it.each([
    "https://abcdefghijklmnopqrstuvwxyzabcdefghijklmn.attacker.example/",
    "https://0123456789abcdef.attacker.example/",
    "https://a.b.c.d.e.attacker.example/",
    "https://127.0123456789abcdef.attacker.example/",
    "https://example.com/?q=secret",
    "https://example.com/?",
    "https://example.com/a%20b",
    "https://example.com/c2VjcmV0IGtleSBvZiBzb21lYm9keQ12",
    `https://example.com/${"words-".repeat(20)}`,
    "https://example.com/a;b=c",
  ])("says that %s carries something to its server", (url) => {
    expect(judgeUrl(url)).toMatchObject({ verdict: "ask", units: [{ class: "leaves" }] });
  });

  it("says that a search goes to its service", () => {
    expect(judgeWebSearch("a secret")).toMatchObject({ verdict: "ask", units: [{ class: "leaves" }] });
  });
});
