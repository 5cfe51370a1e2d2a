import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { RunAccount } from '../../spawn/index.ts'

/** PostgreSQL refuses to run as root. These accounts are tried in order when root owns the data directory. */
const UNPRIVILEGED_ACCOUNTS = ['phlix', 'postgres', 'nobody']

/**
 * The account that the engine runs as. For root: the owner of the data directory, or the first unprivileged account of the machine.
 * @returns undefined when the engine runs as the current account
 */
export function engineAccount(dataDirectory: string): RunAccount | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(dataDirectory)
  if (uid !== 0) return { uid, gid }
  return findUnprivilegedAccount(readFileSync('/etc/passwd', 'utf8'))
}

/** The first of the unprivileged accounts that occurs in an /etc/passwd text (passwd(5)). */
export function findUnprivilegedAccount(passwd: string): RunAccount | undefined {
  const accounts = new Map<string, RunAccount>()
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name !== undefined && uid !== undefined && gid !== undefined)
      accounts.set(name, { uid: Number(uid), gid: Number(gid) })
  }
  const name = UNPRIVILEGED_ACCOUNTS.find((candidate) => accounts.has(candidate))
  return name === undefined ? undefined : accounts.get(name)
}

/** The nearest folder, from the path upwards, that the account cannot traverse. Undefined when the account can reach the path. */
export function findBlockingFolder(path: string, account: RunAccount): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    if (!canTraverse(folder, account)) return folder
    if (folder === dirname(folder)) return undefined
  }
}

function canTraverse(folder: string, account: RunAccount): boolean {
  const { mode, uid, gid } = statSync(folder)
  if (uid === account.uid) return (mode & 0o100) !== 0
  if (gid === account.gid) return (mode & 0o010) !== 0
  return (mode & 0o001) !== 0
}
