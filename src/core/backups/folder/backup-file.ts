import { join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import type { ArchiveHeader } from '../archive/format.ts'

/** The folder of backups: `backups/` in the data directory. */
export function backupFolder({ dataDirectory }: Pick<Config, 'dataDirectory'>): string {
  return join(dataDirectory, 'backups')
}

/** Suffix of an encrypted archive, and of the file beside it with what `list` shows. */
export const ENCRYPTED_SUFFIX = '.age'
export const SIDECAR_SUFFIX = '.json'

/** An archive that is being written. It is followed by the mark of the writing process. */
export const PARTIAL_PREFIX = '.partial-'

/** `phlix-20261124T182655Z-0f9c2b8e6a0e.tar`. */
export function backupFileName({
  id,
  createdAt,
  isEncrypted,
}: {
  id: string
  createdAt: Date
  isEncrypted: boolean
}): string {
  const time = createdAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return `phlix-${time}-${id}.tar${isEncrypted ? ENCRYPTED_SUFFIX : ''}`
}

/**
 * The name that an archive got when it was made, even if its file has been renamed. Without a readable header it is the name of the file.
 */
export function originalName({
  name,
  header,
  isEncrypted,
}: {
  name: string
  header: ArchiveHeader | null
  isEncrypted: boolean
}): string {
  if (header === null) return name
  return backupFileName({ id: header.id, createdAt: new Date(header.created_at), isEncrypted })
}

/** Whether a file is listed as a backup. */
export function isBackupName(name: string): boolean {
  return !name.startsWith('.') && /\.tar(?:\.age)?$/.test(name)
}

/** The time in the name of an archive; undefined for another name. */
export function timeOfName(name: string): Date | undefined {
  const [, date = '', hour, minute, second] =
    /^phlix-(\d{8})T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{12}\.tar(?:\.age)?$/.exec(name) ?? []
  if (hour === undefined) return undefined
  const time = new Date(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time
}
