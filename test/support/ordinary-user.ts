import { statSync } from 'node:fs'

const NOBODY = 65_534

/** Runs something without root's right to read everything; for others it changes nothing. */
export async function asOrdinaryUser<Result>(work: () => Promise<Result>, uid = NOBODY): Promise<Result> {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(uid)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

/** The account that owns the socket of a database, which an ordinary user has to be to reach it. */
export function ownerOfSocket(connectionUri: string): number {
  const directory = decodeURIComponent(/@([^/:]+)/.exec(connectionUri)?.[1] ?? '')
  return directory.startsWith('/') ? statSync(directory).uid : NOBODY
}

/**
 * Whether threads may be started under an account: they load the sources of this checkout, which may lie where only root may look
 * (`/root` has mode 0700 on Debian).
 */
export async function canStartThreadsAs(uid: number): Promise<boolean> {
  return asOrdinaryUser(async () => {
    try {
      // Not access(2), which asks about the account that the process began with.
      statSync(import.meta.filename)
      return true
    } catch {
      return false
    }
  }, uid)
}
