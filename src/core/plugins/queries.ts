import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'
import type { FileHashes } from './archive/file-hashes.ts'
import type { Manifest } from './manifest/manifest.ts'
import type { SettingValues } from './manifest/plugin-settings.ts'
import type { Plugin, PluginVersion } from './plugin.ts'

/** Written by this release from a checked manifest; a newer release migrates them. */
const storedJson = <Value>() => z.custom<Value>((value) => typeof value === 'object' && value !== null)

const PluginRow = z.strictObject({
  name: z.templateLiteral(['phlix-plugin-', z.string()]),
  manifest: storedJson<Manifest>(),
  folder: z.string(),
  fileHashes: storedJson<FileHashes>(),
  archiveSha256: z.string(),
  source: z.string(),
  authorKey: z.string().nullable(),
  catalogue: z.string().nullable(),
  previous: storedJson<PluginVersion>().nullable(),
  settings: storedJson<SettingValues>(),
  isEnabled: z.boolean(),
  disabledReason: z.string().nullable(),
  installedAt: z.date(),
  updatedAt: z.date(),
})

const ChangeRow = PluginRow.pick({ name: true, updatedAt: true })

const pluginColumns = sql.fragment`name, manifest, folder, file_hashes, archive_sha256, source, author_key, catalogue, previous, settings,
  is_enabled, disabled_reason, installed_at, updated_at`

/** By name. */
export async function selectPlugins(connection: Connection): Promise<readonly Plugin[]> {
  return connection.any(sql.type(PluginRow)`select ${pluginColumns} from plugins order by name`)
}

export async function selectPlugin(connection: Connection, name: string): Promise<Plugin | undefined> {
  return (
    (await connection.maybeOne(sql.type(PluginRow)`select ${pluginColumns} from plugins where name = ${name}`)) ??
    undefined
  )
}

/** The names of the enabled plugins, each with the time of its last change. The rows themselves hold a hash for each file. */
export async function selectEnabled(connection: Connection): Promise<ReadonlyMap<string, number>> {
  const rows = await connection.any(sql.type(ChangeRow)`select name, updated_at from plugins where is_enabled`)
  return new Map(rows.map(({ name, updatedAt }) => [name, updatedAt.getTime()]))
}

/** Inserts a disabled plugin. */
export async function insertPlugin(connection: Connection, version: PluginVersion, now: Date): Promise<void> {
  const { manifest, folder, fileHashes, archiveSha256, source, authorKey, catalogue = null } = version
  await connection.query(sql.unsafe`
    insert into plugins (name, version, type, manifest, folder, file_hashes, archive_sha256, source, author_key, catalogue,
      installed_at, updated_at)
    values (${manifest.name}, ${manifest.version}, ${manifest.type}, ${json(manifest)}, ${folder}, ${json(fileHashes)},
      ${archiveSha256}, ${source}, ${authorKey}, ${catalogue}, ${at(now)}, ${at(now)})`)
}

export type VersionChange = {
  version: PluginVersion
  previous: PluginVersion | null
  settings: SettingValues
  isEnabled: boolean
  /** Only if the row is still of this time. */
  updatedAt: Date
  now: Date
}

/** Replaces the version of a plugin. Why the server disabled it stays known until it is enabled. @returns whether the row was changed */
export async function updateVersion(connection: Connection, change: VersionChange): Promise<boolean> {
  const { version, previous, settings, isEnabled, updatedAt, now } = change
  const { manifest, folder, fileHashes, archiveSha256, source, authorKey, catalogue = null } = version
  const { rowCount } = await connection.query(sql.unsafe`
    update plugins set version = ${manifest.version}, type = ${manifest.type}, manifest = ${json(manifest)},
      folder = ${folder}, file_hashes = ${json(fileHashes)}, archive_sha256 = ${archiveSha256}, source = ${source},
      author_key = ${authorKey}, catalogue = ${catalogue}, settings = ${json(settings)},
      previous = ${previous === null ? null : json(previous)}, is_enabled = ${isEnabled},
      disabled_reason = case when ${isEnabled} then null else disabled_reason end,
      updated_at = ${later(now)}
    where name = ${manifest.name} and updated_at = ${at(updatedAt)}`)
  return rowCount > 0
}

/** Locks the row until the transaction ends. */
export async function lockPlugin(connection: Connection, name: string): Promise<Plugin | undefined> {
  return (
    (await connection.maybeOne(
      sql.type(PluginRow)`select ${pluginColumns} from plugins where name = ${name} for update`,
    )) ?? undefined
  )
}

/** Whether a plugin is installed and enabled. The share lock keeps it so until the transaction ends. */
export async function lockEnabledPlugin(connection: Connection, name: string): Promise<boolean> {
  return connection.exists(sql.unsafe`select 1 from plugins where name = ${name} and is_enabled for share`)
}

export type StateChange = {
  name: string
  /** Only if the row is still of this time. */ updatedAt?: Date
  isEnabled: boolean
  disabledReason: string | null
  now: Date
}

/** @returns whether the row was changed */
export async function updateState(connection: Connection, change: StateChange): Promise<boolean> {
  const { updatedAt } = change
  const condition = updatedAt === undefined ? sql.fragment`true` : sql.fragment`updated_at = ${at(updatedAt)}`
  const { rowCount } = await connection.query(sql.unsafe`
    update plugins set is_enabled = ${change.isEnabled}, disabled_reason = ${change.disabledReason},
      updated_at = ${later(change.now)}
    where name = ${change.name} and ${condition}`)
  return rowCount > 0
}

/** Disables a plugin unless it was changed since the row was read: an administrator may have replaced the version that failed. */
export async function disableUnchanged(
  connection: Connection,
  { name, updatedAt }: Pick<Plugin, 'name' | 'updatedAt'>,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update plugins set is_enabled = false, disabled_reason = ${reason}, updated_at = ${later(now)}
    where name = ${name} and is_enabled and updated_at = ${at(updatedAt)}`)
}

export async function updateSettings(
  connection: Connection,
  { name, settings, now }: { name: string; settings: SettingValues; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update plugins set settings = ${json(settings)}, updated_at = ${later(now)} where name = ${name}`)
}

export async function deletePlugin(connection: Connection, name: string): Promise<void> {
  await connection.query(sql.unsafe`delete from plugins where name = ${name}`)
}

function at(time: Date) {
  return sql.timestamp(time)
}

/** Two changes never have the same time, which distinguishes them. */
function later(now: Date) {
  return sql.fragment`greatest(${at(now)}, updated_at + interval '1 millisecond')`
}

function json(value: object): FragmentSqlToken {
  return sql.fragment`${JSON.stringify(value)}::jsonb`
}
