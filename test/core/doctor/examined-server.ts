import { join } from 'node:path'
import type { Test } from 'tap'
import { CHECKS, runChecks, type DoctorContext, type Finding } from '../../../src/core/doctor/index.ts'
import { openDoctor } from '../../../src/core/open-doctor.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { runShell } from '../../support/phlix.ts'

export type Variables = Record<string, string>

/** An installation that a test breaks: its environment decides the data directory and the database. */
export type ExaminedServer = {
  /** Runs one check. The changes replace parts of what it examines. */
  check: (id: string, changes?: Partial<DoctorContext>) => Promise<Finding[]>
  /** Runs a printed command in a shell; later checks see the environment that it leaves. */
  runFix: (command: string) => Promise<void>
}

export function examinedServer(t: Test, { directory, environment }: { directory: string; environment: Variables }) {
  let variables: Variables = { PHLIX_DATA_DIR: directory, ...environment }
  const server: ExaminedServer = {
    async check(id, changes = {}) {
      const config = loadConfig({ environment: variables })
      const log = await createLogger(config, { level: 'critical' })
      const doctor = await openDoctor({ config, log, phlix: (words) => `phlix ${words}` })
      try {
        const checks = CHECKS.filter((check) => check.id === id)
        const context = { ...doctor.context, environment: variables, ...changes }
        const { findings } = await runChecks(context, { checks, limitSeconds: 60, isMending: false })
        return findings
      } finally {
        await doctor.close()
      }
    },
    async runFix(command) {
      const left = join(directory, 'environment-after')
      const { code, stderr } = await runShell(`${command}\nresult=$?\nenv -0 > '${left}'\nexit $result`, variables)
      t.ok(code === 0, `${command} ends with ${code}: ${stderr}`)
      const { readFile, rm } = await import('node:fs/promises')
      const pairs = (await readFile(left, 'utf8')).split('\0').filter((pair) => pair.includes('='))
      await rm(left)
      const known = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
      const kept = [...Object.keys(variables), 'JWT_SECRET'].flatMap((name) => {
        const value = known.get(name)
        return value === undefined ? [] : [[name, value] as const]
      })
      variables = Object.fromEntries(kept)
    },
  }
  return server
}
