/** Whether it is an invocation of cron, or a call of one. */
export function isOfCron(by: string): boolean {
  return by.startsWith("cron#");
}
