import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { TunnelOpening } from '../relay-directory.ts'

const TunnelRow = z.strictObject({ tunnelId: z.string(), processId: z.string(), processAddress: z.string() })

/** The tunnel of a server whose process was alive after a time. */
export async function findTunnel(
  connection: Connection,
  { serverId, aliveAfter }: { serverId: string; aliveAfter: Date },
): Promise<z.infer<typeof TunnelRow> | undefined> {
  const row = await connection.maybeOne(sql.type(TunnelRow)`
    select tunnel_id, process_id, process_address from hub_tunnels
    where server_id = ${serverId} and alive_at > ${sql.timestamp(aliveAfter)}`)
  return row ?? undefined
}

const OpenedRow = z.strictObject({
  name: z.string(),
  replacedId: z.string().nullable(),
  replacedAddress: z.string().nullable(),
})

/**
 * Stores the tunnel of a server with this generation. Undefined when its token has become invalid since.
 * @returns the name of the server, and the tunnel that was replaced
 */
export async function upsertTunnel(
  connection: Connection,
  { tunnelId, now, ...row }: TunnelOpening & { tunnelId: string; now: Date },
): Promise<z.infer<typeof OpenedRow> | undefined> {
  const at = sql.timestamp(now)
  const server = await connection.maybeOne(sql.type(OpenedRow)`
    select s.name, t.tunnel_id as replaced_id, t.remote_address as replaced_address
    from hub_servers s left join hub_tunnels t on t.server_id = s.id
    where s.id = ${row.serverId} and s.generation = ${row.generation} and not s.is_disabled for update of s`)
  if (server === null) return undefined
  await connection.query(sql.unsafe`
    insert into hub_tunnels (server_id, tunnel_id, process_id, process_address, remote_address, opened_at, alive_at)
    values (${row.serverId}, ${tunnelId}, ${row.processId}, ${row.processAddress}, ${row.remoteAddress}, ${at}, ${at})
    on conflict (server_id) do update set tunnel_id = excluded.tunnel_id, process_id = excluded.process_id,
      process_address = excluded.process_address, remote_address = excluded.remote_address, opened_at = excluded.opened_at,
      alive_at = excluded.alive_at`)
  return server
}

export async function deleteTunnel(
  connection: Connection,
  { serverId, tunnelId }: { serverId: string; tunnelId: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from hub_tunnels where server_id = ${serverId} and tunnel_id = ${tunnelId}`)
}

const HeldRow = z.strictObject({ tunnelId: z.string() })

/**
 * Marks the tunnels of a process as alive, and deletes those that were not renewed since a time.
 * @returns the ids of the tunnels of the process
 */
export async function renewTunnels(
  connection: Connection,
  { processId, now, silentSince }: { processId: string; now: Date; silentSince: Date },
): Promise<readonly string[]> {
  const held = await connection.anyFirst(sql.type(HeldRow)`
    update hub_tunnels set alive_at = ${sql.timestamp(now)} where process_id = ${processId} returning tunnel_id`)
  await connection.query(sql.unsafe`delete from hub_tunnels where alive_at < ${sql.timestamp(silentSince)}`)
  return held
}
