import { readFile } from 'node:fs/promises'
import type { Config } from '../platform/config/index.ts'
import { backupErrors } from './errors.ts'

/** The passphrase of a text. @throws AppError `backup_passphrase` if it is empty */
export function readPassphraseText(text: string): string {
  const passphrase = text.replace(/\r?\n$/, '')
  if (passphrase !== '') return passphrase
  throw backupErrors.backup_passphrase({ title: 'The passphrase is empty' })
}

/** The passphrase of `backups.passphrase_file`; undefined if it is not set. @throws AppError `backup_passphrase` */
export async function configuredPassphrase({
  config,
}: {
  config: Pick<Config, 'options'>
}): Promise<string | undefined> {
  const path = config.options['backups.passphrase_file']
  if (path === undefined) return undefined
  try {
    return readPassphraseText(await readFile(path, 'utf8'))
  } catch (error) {
    throw backupErrors.backup_passphrase({ title: `The passphrase file ${path} cannot be used`, cause: error })
  }
}
