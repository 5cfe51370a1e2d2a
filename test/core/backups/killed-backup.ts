import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { createBackup, restoreBackup } from '../../../src/core/backups/index.ts'
import { openDatabase } from '../../../src/core/platform/database/index.ts'

/**
 * `node killed-backup.ts create|restore DATA_DIRECTORY ARCHIVE COUNT`: works, and kills itself at the step with this number. Prints the number
 * of steps at its end.
 */
const [, , work = '', dataDirectory = '', path = '', count = ''] = process.argv
const config = loadConfig({ dataDirectory, environment: {} })
const log = await createLogger(config, { level: 'critical' })
let steps = 0
const onStep = (): void => {
  steps += 1
  if (steps === Number(count)) process.kill(process.pid, 'SIGKILL')
}
if (work === 'create') {
  const database = await openDatabase({ config, log })
  await createBackup({ config, log, clock: systemClock, connectionUri: database.connectionUri }, { onStep })
  await database.close()
} else {
  const needs = { config, log, clock: systemClock, externalUri: undefined, isServed: async () => false }
  await restoreBackup(needs, { path, force: true, keepsConfig: false, onStep })
}
process.stdout.write(String(steps))
