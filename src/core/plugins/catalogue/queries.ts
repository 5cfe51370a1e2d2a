import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { CatalogueSource } from './catalogue.ts'

const SourceRow = z.strictObject({ url: z.string(), isTrusted: z.boolean(), addedAt: z.date() })

const PinRow = z.strictObject({ pluginName: z.string(), version: z.string(), pin: z.string() })

/** What a catalogue said about a version; the version is empty for the key of the author. */
export type CataloguePin = { pluginName: string; version: string; pin: string }

/** In the order in which they were added. */
export async function selectSources(connection: Connection): Promise<readonly CatalogueSource[]> {
  return connection.any(
    sql.type(SourceRow)`select url, is_trusted, added_at from plugin_catalogues order by added_at, url`,
  )
}

/** Adds a source, or makes a known one trusted; a trusted one stays trusted. */
export async function upsertSource(
  connection: Connection,
  { url, isTrusted, now }: { url: string; isTrusted: boolean; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into plugin_catalogues (url, is_trusted, added_at) values (${url}, ${isTrusted}, ${sql.timestamp(now)})
    on conflict (url) do update set is_trusted = plugin_catalogues.is_trusted or excluded.is_trusted`)
}

/** Removes a source with its pins; a trusted one only with `mayBeTrusted`. @returns whether it was removed */
export async function deleteSource(
  connection: Connection,
  { url, mayBeTrusted }: { url: string; mayBeTrusted: boolean },
): Promise<boolean> {
  const { rowCount } = await connection.query(
    sql.unsafe`delete from plugin_catalogues where url = ${url} and (${mayBeTrusted} or not is_trusted)`,
  )
  return rowCount > 0
}

export async function selectPins(connection: Connection, url: string): Promise<readonly CataloguePin[]> {
  return connection.any(
    sql.type(PinRow)`select plugin_name, version, pin from plugin_catalogue_pins where url = ${url}`,
  )
}

/** Adds pins; the known ones stay. Nothing is added for a source that was removed in the meantime. */
export async function insertPins(
  connection: Connection,
  { url, pins, now }: { url: string; pins: readonly CataloguePin[]; now: Date },
): Promise<void> {
  const rows = pins.map(({ pluginName, version, pin }) => [pluginName, version, pin])
  await connection.query(sql.unsafe`
    insert into plugin_catalogue_pins (url, plugin_name, version, pin, seen_at)
    select c.url, v.plugin_name, v.version, v.pin, ${sql.timestamp(now)}
    from ${sql.unnest(rows, ['text', 'text', 'text'])} as v (plugin_name, version, pin)
    join plugin_catalogues c on c.url = ${url}
    on conflict do nothing`)
}
