import { EventBridgeClient, type EventBridgeClientConfig } from "@aws-sdk/client-eventbridge";

/** The one EventBridge client of an environment. */
export function eventBridgeClient(overrides: EventBridgeClientConfig = {}): EventBridgeClient {
  return new EventBridgeClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
    ...overrides,
  });
}
