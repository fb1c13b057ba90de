import { openJournal } from "#infra/local/journal";

const { journal } = openJournal<{ n: number }>(process.argv[2] ?? "");
for (let n = 0; ; n += 1) {
  journal.append({ n });
  await new Promise((written) => process.stdout.write(`${n}\n`, written));
}
