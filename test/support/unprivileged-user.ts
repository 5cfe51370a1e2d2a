import { statSync } from 'node:fs'

const NOBODY = 65_534

/** Runs work without root's permission to read everything; no effect for other accounts. */
export async function asUnprivilegedUser<Result>(work: () => Promise<Result>, uid = NOBODY): Promise<Result> {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(uid)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

/** The account that owns the socket of a database; an unprivileged process must run as it to connect. */
export function ownerOfSocket(connectionUri: string): number {
  const directory = decodeURIComponent(/@([^/:]+)/.exec(connectionUri)?.[1] ?? '')
  return directory.startsWith('/') ? statSync(directory).uid : NOBODY
}

/**
 * Whether threads can run as an account: they load the sources of this checkout, which may be readable for root only (`/root` has mode 0700
 * on Debian).
 */
export async function canStartThreadsAs(uid: number): Promise<boolean> {
  return asUnprivilegedUser(async () => {
    try {
      // Not access(2), which checks the real user id.
      statSync(import.meta.filename)
      return true
    } catch {
      return false
    }
  }, uid)
}
