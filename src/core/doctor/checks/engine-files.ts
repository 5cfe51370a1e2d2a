import { checkEngineFiles, repairEngineFiles } from '../../platform/database/index.ts'
import type { Check } from '../doctor-context.ts'
import { error, ok, problemsOrOk } from '../finding.ts'
import { reinstallCommand } from '../reinstall-command.ts'

export const engineFilesCheck: Check = {
  id: 'engine-files',
  async run({ config, phlix }) {
    if (config.options['database.host'] !== undefined) return ok('not needed with an external database')
    const { version, problems } = await checkEngineFiles(config.dataDirectory)
    const findings = problems.map(({ message, isMendable }) =>
      isMendable
        ? error(message, phlix('doctor --only engine-files --fix'), async () => repairEngineFiles(config.dataDirectory))
        : error(message, reinstallCommand()),
    )
    return problemsOrOk(findings, `PostgreSQL ${version ?? ''}`)
  },
}
