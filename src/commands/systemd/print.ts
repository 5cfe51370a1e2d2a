import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as Args from '@oclif/core/args'
import { installedFilePath } from '../../core/platform/config/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { EXIT } from '../_support/exit-codes.ts'

/** The units of contrib/systemd contain the program without a path. */
const PROGRAM_NAME = /^(Exec[A-Z]\w+=)phlix(?= )/gm

export default class SystemdPrint extends BaseCommand {
  static override summary = 'Print a systemd unit for this installation.'
  static override description =
    'The units are those of contrib/systemd, with the path of this program. Without a name the unit of the server is printed.'
  static override examples = [
    '<%= config.bin %> systemd:print > /etc/systemd/system/phlix.service',
    '<%= config.bin %> systemd:print phlix-scan@.timer',
    '<%= config.bin %> systemd:print phlix-hub.service > /etc/systemd/system/phlix-hub.service',
  ]
  static override args = {
    unit: Args.string({ ignoreStdin: true, default: 'phlix.service', description: 'name of the unit' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage]

  async run(): Promise<object> {
    const { args } = await this.parse(SystemdPrint)
    const folder = installedFilePath('contrib/systemd') ?? ''
    const units =
      folder === ''
        ? []
        : readdirSync(folder)
            .filter((name) => /\.(?:service|timer)$/.test(name))
            .toSorted()
    const unit = units.find((name) => name === args.unit)
    if (unit === undefined) throw commandErrors.usage({ message: 'No unit has this name', hint: units.join(', ') })
    const program = process.argv[1] ?? 'phlix'
    const text = readFileSync(join(folder, unit), 'utf8').replace(PROGRAM_NAME, (_, key: string) => `${key}${program}`)
    return this.finish({ result: { unit, text }, text: text.trimEnd() })
  }
}
