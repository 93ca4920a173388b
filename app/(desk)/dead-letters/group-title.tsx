import { Fragment } from "react";
import { titleParts } from "@/lib/domain/error-title";

/** A normalised error: what differs from letter to letter is marked. */
export function GroupTitle({ title }: { title: string }) {
  const parts = titleParts(title).map((part, at) => ({ ...part, key: `${at}` }));
  return (
    <>
      {parts.map(({ key, text, placeholder }) =>
        placeholder ? <var key={key}>{text}</var> : <Fragment key={key}>{text}</Fragment>,
      )}
    </>
  );
}
