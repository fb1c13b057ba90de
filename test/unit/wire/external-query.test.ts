import { describe, expect, it } from "vitest";
import { externalQueryOf } from "#wire/external-query";
import { decodeFederatedHpa } from "#wire/federated-hpa";

const ORDERS = "orders.cloudwatch.mainsheet.io";
const definition = { namespace: "AWS/SQS", metric: "ApproximateNumberOfMessagesVisible" };

function decoded(
  annotations: Readonly<Record<string, string>>,
  names: readonly string[] = [ORDERS],
  selector?: object,
) {
  return decodeFederatedHpa({
    metadata: { namespace: "shop", name: "web", annotations },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      maxReplicas: 10,
      metrics: names.map((name) => ({
        type: "External",
        external: {
          metric: { name, ...(selector === undefined ? {} : { selector }) },
          target: { type: "Value", value: "5" },
        },
      })),
    },
  });
}

const cloudwatch = (queries: unknown) => ({ "mainsheet.io/cloudwatch": JSON.stringify(queries) });
const faults = (object: ReturnType<typeof decoded>) =>
  object.invalid.map(({ path, detail }) => `${path}: ${detail}`);

describe("who answers for an External metric is said by its name", () => {
  it(`${ORDERS} is CloudWatch's, with what the annotation says of orders`, () => {
    const object = decoded(cloudwatch({ orders: definition }));
    expect(object.invalid).toEqual([]);
    expect(externalQueryOf(object, { name: ORDERS, selector: "QueueName=orders" })).toEqual({
      source: "cloudwatch",
      query: { namespace: "shop", name: ORDERS, selector: "QueueName=orders", definition },
    });
  });

  it.each(["queue", "cloudwatch.mainsheet.io", "orders.cloudwatch.example.org"])(
    "%s is the hub's",
    (name) => {
      const object = decoded({}, [name]);
      expect(object.invalid).toEqual([]);
      expect(externalQueryOf(object, { name, selector: "" })).toEqual({
        source: "hub",
        query: { namespace: "shop", name, selector: "" },
      });
    },
  );
});

describe("annotations that cannot be read are faults of the object", () => {
  const path = "metadata.annotations[mainsheet.io/cloudwatch]";

  it.each(["{", "[]", "7", '"x"', "null"])("%s is no JSON object", (text) => {
    const [first] = faults(decoded({ "mainsheet.io/cloudwatch": text }));
    expect(first).toMatch(
      /^metadata.annotations\[mainsheet.io\/cloudwatch\]: must be a JSON object such as \{/,
    );
  });

  it("a query that is wrong, whether a metric asks for it or not", () => {
    expect(faults(decoded(cloudwatch({ orders: { metric: "x" } }), []))).toEqual([
      `${path}.orders: namespace: must be a text`,
    ]);
  });

  it("a metric without its query", () => {
    expect(faults(decoded({}))).toEqual([
      `${path}: must hold a query "orders", which the metric ${ORDERS} asks for`,
    ]);
  });

  it("a selector that CloudWatch has no word for", () => {
    const selector = { matchExpressions: [{ key: "q", operator: "Exists" }] };
    expect(faults(decoded(cloudwatch({ orders: definition }), [ORDERS], selector))).toEqual([
      `${path}.orders: the selector q is no list of key=value, and CloudWatch has dimensions only`,
    ]);
  });

  it.each([
    ["mainsheet.io/metrics-from", "member", "must be members or hub"],
    ["mainsheet.io/object-metric", "min", "must be sum, max or mean"],
  ])("%s: %s", (name, text, detail) => {
    expect(faults(decoded({ [name]: text }, []))).toEqual([`metadata.annotations[${name}]: ${detail}`]);
  });
});
