import { ReadAgain } from "@/components/queue/read-again";
import { ErrorPanel } from "@/components/ui/error-panel";

/** The list could not be read; what stands around it goes on. */
export function ListUnread({ title, sentence, code }: { title: string; sentence: string; code: string }) {
  return (
    <ErrorPanel heading="h2" title={title} code={code} actions={<ReadAgain label="Try again" />}>
      {sentence} The filters above still work: a narrower one reads less.
    </ErrorPanel>
  );
}
