import { describe, expect, it } from "vitest";
import { matches, selectorText } from "#domain/units/selector";
import { coverSelectors } from "#domain/units/selector-cover";
import { readLabelSelector } from "#domain/units/selector-object";
import { parseSelector } from "#domain/units/selector-parse";

function selector(text: string) {
  const parsed = parseSelector(text);
  if (!parsed.ok) throw new Error(parsed.fault.detail);
  return parsed.value;
}

describe("which labels a selector selects (apimachinery labels)", () => {
  it.each([
    ["nothing asked selects everything", "", {}, true],
    ["an absent label meets !=", "a!=b", {}, true],
    ["an absent label meets notin", "a notin (b,c)", {}, true],
    ["an absent label does not meet in with an empty place", "a in (,b)", {}, false],
    ["an empty label meets in with an empty place", "a in (b,)", { a: "" }, true],
    ["a= asks for an empty label", "a=", { a: "" }, true],
    ["every requirement must hold", "a=1,b=2", { a: "1", b: "3" }, false],
    ["> compares integers, not texts", "a>9", { a: "10" }, true],
    ["a label that is no integer meets neither > …", "a>1", { a: "x" }, false],
    ["… nor <", "a<1", { a: "" }, false],
    ["an integer beyond int64 meets neither", "a>1", { a: "9223372036854775808" }, false],
    ["in may be a key and a value", "in in (in)", { in: "in" }, true],
    ["an inherited name is no label", "constructor", {}, false],
    ["an inherited name is absent", "!toString", {}, true],
  ])("%s: %s", (_, text, labels, selected) => {
    expect(matches(selector(text), labels)).toBe(selected);
  });
});

describe("what is no selector", () => {
  it.each([
    [
      "selector-syntax",
      ["a b", "a=b,", ",a=b", "a=b c=d", "a===b", "!!a", "!", "a in b", "a in (b", "(a=b)", "a>=1"],
    ],
    ["selector-key", ["-a=b", "/a=b", "a/b/c=d", `${"k".repeat(64)}=v`, `${"p".repeat(254)}/k`, "A.b/c=d"]],
    [
      "selector-value",
      ["a=-b", "a=b;c", `a=${"v".repeat(64)}`, "a>x", "a>", "a>-1", "a<99999999999999999999"],
    ],
  ])("%s", (code, texts) => {
    const codes = texts.map((text) => {
      const parsed = parseSelector(text);
      return [text, parsed.ok ? "taken" : parsed.fault.code];
    });
    expect(codes).toEqual(texts.map((text) => [text, code]));
  });

  it("is said in one sentence", () => {
    expect(parseSelector("app in web")).toEqual({
      ok: false,
      fault: {
        code: "selector-syntax",
        detail: 'label selector "app in web": found "web" where ( should be',
      },
    });
  });
});

describe("a LabelSelector object", () => {
  it("means its labels and its expressions together", () => {
    const { selector: read, faults } = readLabelSelector({
      matchLabels: { app: "web" },
      matchExpressions: [
        { key: "tier", operator: "In", values: ["b", "a", "b"] },
        { key: "canary", operator: "DoesNotExist" },
        { key: "zone", operator: "NotIn", values: ["x"] },
        { key: "env", operator: "Exists", values: [] },
      ],
    });
    expect(faults).toEqual([]);
    expect(selectorText(read)).toBe("app=web,!canary,env,tier in (a,b),zone notin (x)");
  });

  it("selects everything when empty", () => {
    expect(readLabelSelector({})).toEqual({ selector: { requirements: [] }, faults: [] });
    expect(readLabelSelector({ matchLabels: null, matchExpressions: null }).selector.requirements).toEqual(
      [],
    );
  });

  it("names each fault with its place", () => {
    const { faults } = readLabelSelector({
      matchLabels: { "-app": "web", tier: "a b" },
      matchExpressions: [
        { key: "x", operator: "in", values: ["a"] },
        { key: "x", operator: "In", values: [] },
        { key: "x", operator: "Exists", values: ["a"] },
        { key: "x", operator: "constructor" },
      ],
    });
    expect(faults.map(({ code, path }) => [code, path])).toEqual([
      ["selector-key", "matchLabels[-app]"],
      ["selector-value", "matchLabels[tier]"],
      ["selector-operator", "matchExpressions[0].operator"],
      ["selector-value", "matchExpressions[1].values"],
      ["selector-value", "matchExpressions[2].values"],
      ["selector-operator", "matchExpressions[3].operator"],
    ]);
  });
});

describe("one selector that covers several", () => {
  it.each([
    [
      "values of a shared key are joined",
      ["app=b,tier=web", "app in (a,c),!old", "app==b"],
      "app in (a,b,c)",
    ],
    ["every shared key narrows", ["app=a,zone=x", "zone=y,app=b"], "app in (a,b),zone in (x,y)"],
    ["what all say word for word is kept", ["!canary,app=a", "app=b,!canary"], "app in (a,b),!canary"],
    ["equal ones stay as they are", ["app=a", "app=a"], "app=a"],
    ["one alone stays as it is", ["app!=a"], "app!=a"],
    ["a key that one only excludes is not shared", ["app=a", "app!=b"], undefined],
    ["no shared key", ["app=a", "tier=web"], undefined],
    ["one that selects everything shares nothing", ["app=a", ""], undefined],
    ["everything alone cannot be narrowed", [""], undefined],
    ["none at all", [], undefined],
  ])("%s", (_, texts, expected) => {
    const cover = coverSelectors(texts.map(selector));
    expect(cover && selectorText(cover)).toBe(expected);
  });
});
