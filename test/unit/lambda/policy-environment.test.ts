import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY, type Policy } from "#domain/scale/policy";
import { policyEnvironment, policyFrom } from "#lambda/policy-environment";

const OTHER: Policy = {
  ...DEFAULT_POLICY,
  tolerance: 0.25,
  cpuInitializationPeriodSeconds: 60,
  initialReadinessDelaySeconds: 0,
  downscaleStabilizationSeconds: 600,
  syncPeriodSeconds: 30,
  lostCluster: "assume-equal",
  lostClusterHoldSeconds: 60,
  caughtUpCheck: false,
  allowExternal: false,
  allowMinZero: false,
};

describe("the controller's flags (C13)", () => {
  it("have Karmada's defaults", () => {
    expect(policyFrom({})).toEqual(DEFAULT_POLICY);
    expect(policyFrom({})).toMatchObject({
      tolerance: 0.1,
      syncPeriodSeconds: 15,
      downscaleStabilizationSeconds: 300,
      cpuInitializationPeriodSeconds: 300,
      initialReadinessDelaySeconds: 30,
    });
  });

  it("upscale-delay and downscale-delay change nothing, as in Karmada, which reads and never uses them", () => {
    const dead = { upscaleDelaySeconds: 180, downscaleDelaySeconds: 300 };
    expect(policyEnvironment(dead)).toEqual({ UPSCALE_DELAY_SECONDS: "180", DOWNSCALE_DELAY_SECONDS: "300" });
    expect(policyFrom(policyEnvironment({ ...OTHER, ...dead }))).toEqual(
      policyFrom(policyEnvironment(OTHER)),
    );
  });

  it("come back from the environment as they went in", () => {
    expect(Object.keys(OTHER)).toEqual(Object.keys(DEFAULT_POLICY));
    expect(policyFrom(policyEnvironment(OTHER))).toEqual(OTHER);
    expect(policyEnvironment({})).toEqual({});
  });
});

describe("a fault in the environment is one sentence", () => {
  it.each([
    ["TOLERANCE", "-0.1", "TOLERANCE is -0.1; allowed: a number from 0 to below 1"],
    ["TOLERANCE", "", "TOLERANCE is empty; allowed: a number from 0 to below 1"],
    ["SYNC_PERIOD_SECONDS", "4", "SYNC_PERIOD_SECONDS is 4; allowed: the divisors of 60 from 5 to 60"],
    ["SYNC_PERIOD_SECONDS", "7.5", "SYNC_PERIOD_SECONDS is 7.5; allowed: the divisors of 60 from 5 to 60"],
    [
      "INITIAL_READINESS_DELAY_SECONDS",
      "1.5",
      "INITIAL_READINESS_DELAY_SECONDS is 1.5; allowed: whole seconds from 0 to 86400",
    ],
    ["LOST_CLUSTER", "Hold", "LOST_CLUSTER is Hold; allowed: hold or assume-equal"],
    ["ALLOW_MIN_ZERO", "1", "ALLOW_MIN_ZERO is 1; allowed: true or false"],
    [
      "DOWNSCALE_DELAY_SECONDS",
      "soon",
      "DOWNSCALE_DELAY_SECONDS is soon; allowed: whole seconds from 0 to 86400",
    ],
  ])("%s=%s", (variable, text, sentence) => {
    expect(() => policyFrom({ [variable]: text })).toThrow(new Error(sentence));
  });
});
