import { parseQuantity, quantityMilli, quantitySign, quantityValue } from "#domain/units/quantity";
import { quantityText } from "#domain/units/quantity-text";
import type { Judge } from "#test/golden/judge";
import { settle } from "#test/golden/ledger";
import { QUANTITY_LEDGER, type QuantityAnswer, type QuantityInput } from "#test/golden/ledger/quantity";

export const judge: Judge<QuantityInput, QuantityAnswer & { readonly error?: string }> = (vector) => {
  const { error: _wording, ...out } = vector.out;
  return settle(QUANTITY_LEDGER, { in: vector.in, out }, answer(vector.in.string));
};

function answer(text: string): QuantityAnswer {
  const parsed = parseQuantity(text);
  if (!parsed.ok) return { ok: false };
  return {
    ok: true,
    milliValue: String(quantityMilli(parsed.value)),
    value: String(quantityValue(parsed.value)),
    canonical: quantityText(parsed.value),
    sign: quantitySign(parsed.value),
  };
}
