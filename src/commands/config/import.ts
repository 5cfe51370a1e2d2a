import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { resolve } from 'node:path'
import { importOptions, loadConfig } from '../../core/platform/config/index.ts'
import { readSecretText } from '../_support/arguments/secret-file.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT } from '../_support/exit-codes.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

export default class ConfigImport extends BaseCommand {
  static override summary = 'Make a file the configuration file of the data directory, if it is valid.'
  static override description =
    'Every option of the file is checked first; a file with a problem changes nothing. If another configuration ' +
    'file is in use, --force is needed; an existing config.toml is kept as config.toml.old, config.toml.old.1 and ' +
    'so on. The server reads the file when it starts.'
  static override examples = [
    '<%= config.bin %> config:import phlix.toml',
    '<%= config.bin %> config:export | ssh new-server <%= config.bin %> config:import - --force',
  ]
  static override args = {
    file: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'configuration file in TOML; `-` is standard input',
    }),
  }
  static override flags = {
    force: Flags.boolean({ summary: 'Replace an existing config.toml.' }),
    'dry-run': Flags.boolean({ char: 'n', summary: 'Only check the file.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.io, EXIT.denied, EXIT.config]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ConfigImport)
    const toml = await readSecretText(args.file)
    const { dataDirectory } = this.shared
    const directory = dataDirectory === undefined ? locateDataDirectory() : resolve(dataDirectory)
    const isDryRun = flags['dry-run']
    const { path, options, previous, superseded } = importOptions({
      dataDirectory: directory,
      configFile: this.shared.configFile,
      toml,
      force: flags.force,
      isDryRun,
    })
    if (superseded !== null) this.warn(`${superseded} ${isDryRun ? 'would not be' : 'is not'} read any more`)
    const done = isDryRun ? 'would be written' : 'is written'
    return this.finish({
      result: { path, options, previous, dry_run: isDryRun },
      text: `${path} ${done} with ${pluralize(options.length, 'option')}${previous === null ? '' : `; the old file is kept as ${previous}`}`,
    })
  }
}

/** The data directory does not depend on the file that is replaced, which may not be valid. */
function locateDataDirectory(): string {
  return loadConfig({ configFile: '/dev/null' }).dataDirectory
}
