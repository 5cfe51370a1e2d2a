import { checkEngineFiles, repairEngineFiles } from '../../platform/database/index.ts'
import type { Check } from '../doctor-context.ts'
import { error, ok, problemsOr } from '../finding.ts'
import { installCommand } from '../install-command.ts'

export const engineFilesCheck: Check = {
  id: 'engine-files',
  async run({ config, phlix }) {
    if (config.options['database.host'] !== undefined) return ok('not needed with an external database')
    const { version, problems } = await checkEngineFiles(config.dataDirectory)
    const found = problems.map(({ message, isMendable }) =>
      isMendable
        ? error(message, phlix('doctor --only engine-files --fix'), async () => repairEngineFiles(config.dataDirectory))
        : error(message, installCommand()),
    )
    return problemsOr(found, `PostgreSQL ${version ?? ''}`)
  },
}
