import { DropToken } from "@/app/(desk)/you/drop-token";
import { Row, RowTh, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { ApiToken } from "@/lib/auth/api-tokens";

/** A user's own API tokens, without the tokens: only their hashes are kept. */
export function TokenTable({ tokens, nowMs }: { tokens: readonly ApiToken[]; nowMs: number }) {
  return (
    <Table
      label="Your API tokens"
      bleed
      head={
        <>
          <Th>Name</Th>
          <Th>May</Th>
          <Th end>Made</Th>
          <Th end>Last used</Th>
          <Th end>Ends</Th>
          <Th>
            <span className="vh">Revoke</span>
          </Th>
        </>
      }
    >
      {tokens.map((token) => (
        <Row key={token.tokenId} dim={token.expired}>
          <RowTh className="o1">{token.name}</RowTh>
          <Td name="May">{token.scopes.join(", ")}</Td>
          <Td name="Made" end>
            <Time atMs={token.createdMs} nowMs={nowMs} />
          </Td>
          <Td name="Last used" end>
            {token.usedMs === null ? "never" : <Time atMs={token.usedMs} nowMs={nowMs} />}
          </Td>
          <Td name="Ends" end>
            {token.expired ? "over since " : null}
            <Time atMs={token.expiresMs} nowMs={nowMs} show="clock" />
          </Td>
          <Td className="olast">
            <DropToken tokenId={token.tokenId} name={token.name} />
          </Td>
        </Row>
      ))}
    </Table>
  );
}
