/** What the SDK throws. */
interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Answers of the service that are about the caller, not about what was asked. */
const NOT_ABOUT_THE_QUERY = [
  /Throttling|Throttled|LimitExceeded|TooManyRequests/,
  /AccessDenied|ExpiredToken|UnrecognizedClient|InvalidClientTokenId|SignatureDoesNotMatch|Credentials/,
];

/** Whether CloudWatch refused the request as it stands. */
export function isRefusal(error: unknown): boolean {
  const { name, $metadata } = error as Thrown;
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500 && !NOT_ABOUT_THE_QUERY.some((names) => names.test(name));
}

/** What came back, and what to do where that is known. */
export function sentenceOf(error: unknown): string {
  const { name, message } = error as Thrown;
  const advice = /AccessDenied/.test(name) ? "; grant cloudwatch:GetMetricData to the function" : "";
  return `${name}: ${message}${advice}`;
}
