// Where a job is, in words.

import type { Words } from "../../words";
import { lostJobs } from "../api/connection";
import type { Job } from "../api/jobs";

const PAGES_OF_A_FILE = /^reading pages (\d+)\/(\d+)$/;

/** "Reading page: 4 of 90 (file 2 of 30)". */
export function describeStage(words: Words, job: Job): string {
  if (lostJobs.has(job.id)) return words.say("app.connection_lost");
  const file = PAGES_OF_A_FILE.exec(job.stage ?? "");
  const stage = words.say(`job.stage.${stageOf(words, job)}`);
  const whole =
    job.total > 0 ? words.say("job.of", { what: stage, done: job.done, total: job.total }) : stage;
  if (!file || file[2] === "1") return whole;
  return `${whole} (${words.say("job.file", { n: Number(file[1]), all: Number(file[2]) })})`;
}

function stageOf(words: Words, { stage, kind }: Job): string {
  if (!stage) return "started";
  if (PAGES_OF_A_FILE.test(stage)) return "reading";
  // A class is read file by file.
  if (stage === "reading" && kind === "batch") return "reading files";
  return words.has(`job.stage.${stage}`) ? stage : "working";
}
