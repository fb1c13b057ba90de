import { EventBridgeClient, type EventBridgeClientConfig } from "@aws-sdk/client-eventbridge";

/** The one EventBridge client of an environment. */
export function eventBridgeClient(overrides: EventBridgeClientConfig = {}): EventBridgeClient {
  return new EventBridgeClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_500, requestTimeout: 2_500, throwOnRequestTimeout: true },
    ...overrides,
  });
}
