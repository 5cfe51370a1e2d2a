import * as Args from '@oclif/core/args'
import { dumpConfig, findNearestName } from '../../core/platform/config/index.ts'
import { ConfigCommand } from '../_support/config-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { EXIT } from '../_support/exit-codes.ts'

export default class ConfigGet extends ConfigCommand {
  static override summary = 'Print the value of one option; secrets are shown as ***.'
  static override description =
    'Prints the effective value, as config:show does: alone on a line, empty if it is not set.'
  static override examples = [
    '<%= config.bin %> config:get server.port',
    '<%= config.bin %> config:get metadata.tmdb.api_key --json',
  ]
  static override args = {
    name: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'name of the option, for example server.port',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.config]

  async run(): Promise<object> {
    const { args } = await this.parse(ConfigGet)
    const options = dumpConfig(await this.readEffectiveConfig())
    const option = options.find(({ path }) => path === args.name)
    if (option === undefined) throw unknownOption(args.name, options)
    return this.finish({ result: { option }, text: String(option.value ?? '') })
  }
}

/** The name is not repeated: it may be a misplaced secret value. */
function unknownOption(name: string, options: readonly { path: string }[]): Error {
  const near = findNearestName(
    name,
    options.map(({ path }) => path),
  )
  const hint = near === undefined ? 'phlix config:show' : `did you mean ${near}?`
  return commandErrors.usage({ message: 'No option has this name', hint })
}
