/** One rank of a setting, forked by ours.ts; answers with what its training steps took. */
import { type RankTask, trainRank } from "./train-rank.ts";

async function answer(task: RankTask): Promise<void> {
  process.send?.({ answer: await trainRank(task) });
  process.disconnect();
}

process.on("message", (message: object) => {
  if ("task" in message) void answer(message.task as RankTask);
});
