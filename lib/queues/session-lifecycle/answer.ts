import type { JournalBatchAnswerItem } from "@/lib/internal-rpc/journal-wire";
import type { BatchAnswerItem } from "@/lib/internal-rpc/wire";

/**
 * An answer of the journal in the form that the console keeps of every queue: the entry is the job. Empty: what was put
 * back is no entry, and has no id.
 */
export function answerOf(answer: JournalBatchAnswerItem): BatchAnswerItem {
  switch (answer.answer) {
    case "requeued": {
      const { entry_id, ...rest } = answer;
      return { ...rest, retry_job_id: entry_id ?? "" };
    }
    case "already_requeued": {
      const { entry_id, ...rest } = answer;
      return { ...rest, retry_job_id: entry_id };
    }
    case "changed":
    case "not_found":
    case "undecodable":
      return answer;
    default:
      return answer satisfies never;
  }
}
