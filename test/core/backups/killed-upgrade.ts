import { upgradeStoppedEngine } from '../../../src/core/backups/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'

/**
 * `node killed-upgrade.ts DATA_DIRECTORY STEP [FOLDER_OF_MIGRATIONS]`: upgrades the engine, and kills itself after the first step with this
 * name.
 */
const [, , dataDirectory = '', fatal = '', directory] = process.argv
const config = loadConfig({ dataDirectory, environment: {} })
const log = await createLogger(config, { level: 'critical' })
await upgradeStoppedEngine(
  { config, log, clock: systemClock },
  {
    directory,
    onStep: (step) => {
      if (step === fatal) process.kill(process.pid, 'SIGKILL')
    },
  },
)
