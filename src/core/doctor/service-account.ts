import { readFileSync, statSync } from 'node:fs'
import type { ServiceAccount } from './doctor-context.ts'

/**
 * The account that the server runs as: the owner of the data directory, if root examines the directory of another account.
 * @returns undefined if it is the account of this process, or if the directory does not exist
 */
export function findServiceAccount(dataDirectory: string): ServiceAccount | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(dataDirectory, { throwIfNoEntry: false })
  if (owner === undefined || owner.uid === 0) return undefined
  return { uid: owner.uid, gid: owner.gid, name: accountName(readFileSync('/etc/passwd', 'utf8'), owner.uid) }
}

/** The name of an account in an /etc/passwd text (passwd(5)). */
export function accountName(passwd: string, uid: number): string | null {
  const line = passwd.split('\n').find((row) => row.split(':')[2] === String(uid))
  return line?.split(':')[0] ?? null
}
