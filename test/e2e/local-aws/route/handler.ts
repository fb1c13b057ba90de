/** No message of these tests is for it. */
export async function handler(): Promise<void> {}
