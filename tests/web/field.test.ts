import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldValue, labels, stepped } from "../../web/field.ts";
import type { Control } from "../../web/protocol.ts";

const control = (kind: Control["kind"], more: Partial<Control> = {}): Control => ({ id: "x", pointer: "/x", label: "X", kind, value: "", ...more });

test("an emptied control means: choose for me", () => {
  assert.equal(fieldValue(control("number"), "  "), null);
  assert.equal(fieldValue(control("multiple"), ""), null);
  assert.equal(fieldValue(control("choice", { options: [{ value: "", label: "any" }, { value: "bf16", label: "BF16" }] }), ""), null);
});

test("a number goes to the core as a number", () => {
  assert.equal(fieldValue(control("number"), " 8192 "), 8192);
  assert.equal(fieldValue(control("number"), "1e9"), 1e9);
});

test("what is not a number goes to the core as it was typed, so that the core can refuse it", () => {
  for (const text of ["8K", "--", "1,024", "Infinity", "1e999", "<script>"]) assert.equal(fieldValue(control("number"), text), text);
});

test("a choice among numbers is a number, a choice among words a word", () => {
  assert.equal(fieldValue(control("choice", { options: [{ value: "8", label: "8" }, { value: "16", label: "16" }] }), "16"), 16);
  assert.equal(fieldValue(control("choice", { options: [{ value: "fp8", label: "FP8" }, { value: "16", label: "16" }] }), "16"), "16");
});

test("several are a list, a toggle is true or false", () => {
  assert.deepEqual(fieldValue(control("multiple"), "aws,runpod"), ["aws", "runpod"]);
  assert.equal(fieldValue(control("toggle"), "true"), true);
  assert.equal(fieldValue(control("toggle"), "false"), false);
});

test("a value is shown by the label of its option, an unknown one by itself", () => {
  const clouds = control("multiple", { options: [{ value: "aws", label: "AWS" }] });
  assert.deepEqual(labels(clouds, "aws,nowhere"), ["AWS", "nowhere"]);
  assert.deepEqual(labels(clouds, ""), []);
});

test("arrow keys move by the core's step and stay within its limits", () => {
  const number = control("number", { step: 1024, minimum: 1, maximum: 10_000 });
  assert.equal(stepped(number, "8192", 1), "9216");
  assert.equal(stepped(number, "9216", 1), "10000");
  assert.equal(stepped(number, "512", -1), "1");
  assert.equal(stepped(number, "many", 1), "many");
  assert.equal(stepped(control("number"), "5", 1), "5", "without a step nothing moves");
});
