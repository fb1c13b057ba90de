import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/**
 * The one DynamoDB client of an environment. A request takes milliseconds; one that takes seconds is asked again by
 * the SDK while the invocation still has time, three times at most, which `put` is prepared for.
 */
export function dynamoDocuments(overrides: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_500, requestTimeout: 2_500, throwOnRequestTimeout: true },
    ...overrides,
  });
  return DynamoDBDocumentClient.from(client);
}
