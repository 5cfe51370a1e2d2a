import { constants } from 'node:fs'
import { access, lstat } from 'node:fs/promises'
import { backupFolder, configuredPassphrase } from '../../backups/index.ts'
import { describeError, systemErrorCode } from '../../platform/errors/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { problemsOrOk, warningResult, type CheckResult } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'

const OWNER_RIGHTS = 0o700

/** What prevents backups: a folder that cannot be written, a passphrase that cannot be read. */
export const backupFolderCheck: DoctorCheck = {
  id: 'backup-folder',
  async run({ config }) {
    const folder = backupFolder(config)
    return problemsOrOk(
      [...(await folderProblems(folder)), ...(await passphraseProblems(config))],
      `${folder} is usable`,
    )
  },
}

/** Rights of another account are found by the check `owners`. */
async function folderProblems(path: string): Promise<CheckResult[]> {
  try {
    const facts = await lstat(path)
    if (!facts.isDirectory()) {
      return [
        warningResult(
          `${path} is not a folder: no backup can be made`,
          `mv ${shellQuote(path)} ${shellQuote(`${path}.old`)}`,
        ),
      ]
    }
    if ((facts.mode & OWNER_RIGHTS) !== OWNER_RIGHTS) {
      return [warningResult(`${path} is not writable: no backup can be made`, `chmod 700 ${shellQuote(path)}`)]
    }
    await access(path, constants.W_OK)
    return []
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return []
    const fix =
      systemErrorCode(error) === 'EROFS' ? `mount -o remount,rw ${shellQuote(path)}` : `ls -ld ${shellQuote(path)}`
    return [warningResult(`${path}: ${describeError(error)}: no backup can be made`, fix)]
  }
}

async function passphraseProblems(
  config: Parameters<typeof configuredPassphrase>[0]['config'],
): Promise<CheckResult[]> {
  try {
    await configuredPassphrase({ config })
    return []
  } catch (error) {
    const path = shellQuote(config.options['backups.passphrase_file'] ?? '')
    // A file with content is never replaced: older backups may need it.
    const fix = `test -s ${path} && chmod u+r ${path} || (umask 077 && openssl rand -base64 32 > ${path})`
    return [warningResult(`${describeError(error)}: no backup can be made`, fix)]
  }
}
