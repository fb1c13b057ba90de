/** The account and region that this machine plays. */
export const ACCOUNT = "000000000000";
export const REGION = "us-east-1";

export const queueArn = (name: string): string => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;
export const queueUrl = (endpoint: string, name: string): string => `${endpoint}/${ACCOUNT}/${name}`;
export const ruleArn = (name: string): string => `arn:aws:events:${REGION}:${ACCOUNT}:rule/${name}`;
export const alarmArn = (name: string): string => `arn:aws:cloudwatch:${REGION}:${ACCOUNT}:alarm:${name}`;
export const functionArn = (name: string): string => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;
