import { statSync } from 'node:fs'
import type { Config } from '../../platform/config/index.ts'
import { enrolmentPath, readEnrolment, type StoredEnrolment } from './enrolment-file.ts'
import type { Enrolment, EnrolmentSource } from './enrolment-source.ts'

/** The pairing of this server, also as commands change it while the server runs. */
export type WatchedEnrolment = EnrolmentSource & {
  /** The whole file, as it is now. */
  stored(): StoredEnrolment | undefined
}

/** Reads the enrolment file after each change of it. */
export function watchEnrolment({ config }: { config: Pick<Config, 'dataDirectory'> }): WatchedEnrolment {
  const path = enrolmentPath({ config })
  const listeners = new Set<(enrolment: Enrolment | undefined) => void>()
  let identity: string | undefined
  let kept: StoredEnrolment | undefined
  let reported: string | undefined

  function stored(): StoredEnrolment | undefined {
    const now = identityOf(path)
    if (now !== identity) {
      kept = readEnrolment({ config })
      identity = now
    }
    return kept
  }

  function current(): Enrolment | undefined {
    const enrolment = stored()
    if (enrolment === undefined) return undefined
    const { hubBaseUrl, serverId, enrolmentJwt, tunnelPort } = enrolment
    return { hubBaseUrl, serverId, enrolmentJwt, tunnelPort }
  }

  const textOf = (enrolment: Enrolment | undefined): string => JSON.stringify(enrolment ?? null)
  reported = textOf(current())
  return {
    stored,
    current,
    check() {
      const now = current()
      if (textOf(now) === reported) return
      reported = textOf(now)
      for (const listener of listeners) listener(now)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The inode changes with a replacement of the file. */
function identityOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? '' : [stats.ino, stats.size, stats.ctimeNs].join(':')
}
