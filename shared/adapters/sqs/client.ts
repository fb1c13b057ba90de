import { SQSClient, type SQSClientConfig } from "@aws-sdk/client-sqs";

/** The one SQS client of an environment. */
export function sqsClient(overrides: SQSClientConfig = {}): SQSClient {
  return new SQSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
    ...overrides,
  });
}
