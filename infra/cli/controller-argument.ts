import type { Policy } from "#domain/scale/policy";
import { policyEnvironment, policyFrom } from "#lambda/policy-environment";
import { CliError, messageOf } from "./exit.ts";

/** The policy of `SETTING=VALUE` texts, by the names of the stack's options; docs/operations.md has them. */
export function controllerPolicy(settings: readonly string[]): Policy {
  const pairs = settings.map((text): readonly [string, string] => {
    const [, name = "", value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (value !== undefined) return [name, value];
    throw new CliError("usage", `--controller ${text}: write it as tolerance=0.05`);
  });
  try {
    return policyFrom(policyEnvironment(Object.fromEntries(pairs)));
  } catch (error) {
    const message = messageOf(error).replace(/^controller\./, "--controller ");
    throw new CliError("usage", message, { cause: error });
  }
}
