import { divideReplicas } from "#domain/placement/divide";
import { readLabelSelector } from "#domain/units/selector-object";
import type { Judge } from "#test/golden/judge";
import { settle } from "#test/golden/ledger";
import { DIVISION_LEDGER, type DivisionAnswer, type DivisionInput } from "#test/golden/ledger/division";

export const judge: Judge<DivisionInput, DivisionAnswer> = (vector) =>
  settle(DIVISION_LEDGER, vector, answer(vector.in));

function answer(input: DivisionInput): DivisionAnswer {
  const { clusters, staticWeightList, ...rest } = input;
  const division = divideReplicas({
    ...rest,
    candidates: clusters,
    staticWeights: (staticWeightList ?? []).map(({ weight, targetCluster }) => ({
      weight,
      targetCluster: withParsedSelector(targetCluster),
    })),
  });
  return division.ok ? { assignments: division.value } : { error: division.fault.detail };
}

function withParsedSelector({ labelSelector, ...affinity }: TargetCluster) {
  return labelSelector === undefined
    ? affinity
    : { ...affinity, labelSelector: readLabelSelector(labelSelector).selector };
}

type TargetCluster = NonNullable<DivisionInput["staticWeightList"]>[number]["targetCluster"];
