import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { restoreBackup } from '../../../src/core/backups/index.ts'

/** `node killed-restore.ts DATA_DIRECTORY ARCHIVE STEP`: restores, and kills itself after the first step with this name. */
const [, , dataDirectory = '', path = '', fatal = ''] = process.argv
const config = loadConfig({ dataDirectory, environment: {} })
const log = await createLogger(config, { level: 'critical' })
await restoreBackup(
  { config, log, clock: systemClock, externalUri: undefined, isServed: async () => false },
  {
    path,
    force: true,
    keepsConfig: false,
    onStep: (step) => {
      if (step === fatal) process.kill(process.pid, 'SIGKILL')
    },
  },
)
