import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../platform/config/index.ts'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { changeOwnerToDataOwner } from '../../platform/files/index.ts'
import { parseJson } from '../../platform/json/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { backupFolder } from '../folder/backup-file.ts'
import type { Verification } from './verify-backup.ts'

type Folder = Pick<Config, 'dataDirectory'>

/** The last verification of an archive in the folder of the server. */
export type VerificationRecord = { name: string; result: Verification['result']; verifiedAt: Date }

const Stored = z.object({
  name: z.string(),
  result: z.enum(['ok', 'partial', 'damaged']),
  verifiedAt: z.iso.datetime(),
})

/** Not the name of a backup, so that it is in no list. */
const FILE_NAME = 'last-verification.json'

/**
 * Stores the result of a verification for the metrics of the server, which another process has made. It is a file, because a restore
 * replaces the database. Archives of other folders are not recorded.
 */
export async function recordVerification(
  { config, clock }: { config: Folder; clock: Clock },
  { path, result }: { path: string; result: Verification['result'] },
): Promise<void> {
  const folder = backupFolder(config)
  if (dirname(resolve(path)) !== resolve(folder)) return
  const draft = join(folder, `.${FILE_NAME}-${randomUUID()}`)
  const record = { name: basename(path), result, verifiedAt: clock.now().toISOString() }
  try {
    await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600, flag: 'wx' })
    changeOwnerToDataOwner(config.dataDirectory, draft)
    await rename(draft, join(folder, FILE_NAME))
  } finally {
    await rm(draft, { force: true })
  }
}

/** @returns undefined if no archive of the server has been verified, or the file is not readable as JSON */
export async function readVerification(config: Folder): Promise<VerificationRecord | undefined> {
  let bytes: Buffer
  try {
    bytes = await readFile(join(backupFolder(config), FILE_NAME))
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
  const parsed = Stored.safeParse(parseJson(bytes))
  if (!parsed.success) return undefined
  const { name, result, verifiedAt } = parsed.data
  return { name, result, verifiedAt: new Date(verifiedAt) }
}
