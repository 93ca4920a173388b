import Form from "next/form";
import { Icon } from "@/components/ui/icon";
import { Keycap } from "@/components/ui/keycap";

/** Searches the dead letters by id, character or error. On narrow screens an icon that widens when it has the focus. */
export function Search({ query }: { query?: string }) {
  return (
    <Form action="/dead-letters" prefetch={false} className="search" role="search">
      <label className="searchbtn">
        <Icon name="search" />
        <span className="vh">Search dead letters by id, character or error</span>
        <input
          id="search"
          name="q"
          type="search"
          autoComplete="off"
          maxLength={200}
          defaultValue={query}
          placeholder="Search id, character, error"
        />
        <Keycap>/</Keycap>
      </label>
    </Form>
  );
}
