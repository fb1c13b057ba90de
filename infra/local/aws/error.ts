/** What an AWS service refuses a request with: its exception's name, its sentence, its HTTP status. */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = "AwsError";
    this.code = code;
    this.status = status;
  }
}
