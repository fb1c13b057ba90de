import { DEFAULT_POLICY, type Policy } from "#domain/scale/policy";

/**
 * The controller's settings by Karmada's flags (semantics C13). `upscaleDelaySeconds` and `downscaleDelaySeconds` are
 * taken and change nothing: Karmada reads and never uses them (semantics 4.1), and a configuration can move over whole.
 */
export type ControllerSettings = Partial<Policy> & {
  /** `--horizontal-pod-autoscaler-upscale-delay`; without effect, as in Karmada. */
  readonly upscaleDelaySeconds?: number;
  /** `--horizontal-pod-autoscaler-downscale-delay`; without effect, as in Karmada. */
  readonly downscaleDelaySeconds?: number;
};

interface Setting<T> {
  readonly variable: string;
  readonly allowed: string;
  /** Undefined for what is not allowed. */
  readonly read: (text: string) => T | undefined;
}

const yesOrNo = {
  allowed: "true or false",
  read: (text: string) => (text === "true" ? true : text === "false" ? false : undefined),
};

function seconds(max: number): Omit<Setting<number>, "variable"> {
  const read = (text: string) => {
    const value = numberOf(text);
    return Number.isInteger(value) && value >= 0 && value <= max ? value : undefined;
  };
  return { allowed: `whole seconds from 0 to ${max}`, read };
}

const DAY_SECONDS = 86_400;
/** Histories reach back so far (design 1, "Histories"). */
const HISTORY_SECONDS = 3_600;

const SETTINGS: { readonly [K in keyof ControllerSettings]-?: Setting<NonNullable<ControllerSettings[K]>> } =
  {
    tolerance: {
      variable: "TOLERANCE",
      allowed: "a number from 0 to below 1",
      read: (text) => {
        const value = numberOf(text);
        return value >= 0 && value < 1 ? value : undefined;
      },
    },
    syncPeriodSeconds: {
      variable: "SYNC_PERIOD_SECONDS",
      allowed: "the divisors of 60 from 5 to 60",
      read: (text) => {
        const value = numberOf(text);
        return Number.isInteger(value) && value >= 5 && 60 % value === 0 ? value : undefined;
      },
    },
    cpuInitializationPeriodSeconds: {
      variable: "CPU_INITIALIZATION_PERIOD_SECONDS",
      ...seconds(DAY_SECONDS),
    },
    initialReadinessDelaySeconds: { variable: "INITIAL_READINESS_DELAY_SECONDS", ...seconds(DAY_SECONDS) },
    downscaleStabilizationSeconds: {
      variable: "DOWNSCALE_STABILIZATION_SECONDS",
      ...seconds(HISTORY_SECONDS),
    },
    lostCluster: {
      variable: "LOST_CLUSTER",
      allowed: "hold or assume-equal",
      read: (text) => (text === "hold" || text === "assume-equal" ? text : undefined),
    },
    lostClusterHoldSeconds: { variable: "LOST_CLUSTER_HOLD_SECONDS", ...seconds(DAY_SECONDS) },
    caughtUpCheck: { variable: "CAUGHT_UP_CHECK", ...yesOrNo },
    allowExternal: { variable: "ALLOW_EXTERNAL", ...yesOrNo },
    allowMinZero: { variable: "ALLOW_MIN_ZERO", ...yesOrNo },
    upscaleDelaySeconds: { variable: "UPSCALE_DELAY_SECONDS", ...seconds(DAY_SECONDS) },
    downscaleDelaySeconds: { variable: "DOWNSCALE_DELAY_SECONDS", ...seconds(DAY_SECONDS) },
  };

/** The policy that the environment's variables say, defaults where they say nothing; throws one sentence for a fault. */
export function policyFrom(env: NodeJS.ProcessEnv): Policy {
  const read = Object.entries(SETTINGS).flatMap(([key, { variable, allowed, read }]) => {
    const text = env[variable];
    if (text === undefined) return [];
    const value = read(text);
    if (value === undefined) throw new Error(`${variable} is ${text || "empty"}; allowed: ${allowed}`);
    return key in DEFAULT_POLICY ? [[key, value]] : [];
  });
  return { ...DEFAULT_POLICY, ...Object.fromEntries(read) };
}

/** The variables that `policyFrom` reads back as these settings; throws one sentence for a fault, naming the setting. */
export function policyEnvironment(settings: ControllerSettings): Record<string, string> {
  const table: Readonly<Record<string, Setting<unknown>>> = SETTINGS;
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) => {
      if (value === undefined) return [];
      const setting = table[key];
      if (setting === undefined) {
        throw new Error(`controller.${key} is no setting; there are ${Object.keys(table).join(", ")}`);
      }
      if (setting.read(String(value)) === undefined) {
        throw new Error(`controller.${key} is ${value}; allowed: ${setting.allowed}`);
      }
      return [[setting.variable, String(value)]];
    }),
  );
}

/** Number("") is 0. */
function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}
