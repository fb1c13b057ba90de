import { SQSClient, type SQSClientConfig } from "@aws-sdk/client-sqs";

/** The one SQS client of an environment. */
export function sqsClient(overrides: SQSClientConfig = {}): SQSClient {
  return new SQSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_500, requestTimeout: 2_500, throwOnRequestTimeout: true },
    ...overrides,
  });
}
