import * as Args from '@oclif/core/args'
import { BaseCommand } from './_support/base-command.ts'
import { commandErrors } from './_support/errors.ts'
import { EXIT } from './_support/exit-codes.ts'

export default class Schema extends BaseCommand {
  static override summary = 'Print the JSON Schema of the --json document of a command, or of all commands.'
  static override description =
    'The document of a failure is called error. Without --json the schema itself is printed, so that it can be given to a validator.'
  static override examples = [
    '<%= config.bin %> schema library:list > library-list.schema.json',
    '<%= config.bin %> schema --json | jq ".schemas | keys"',
  ]
  static override args = {
    command: Args.string({ ignoreStdin: true, description: 'id of the command, for example library:list, or error' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage]

  async run(): Promise<object> {
    const { args } = await this.parse(Schema)
    const { COMMAND_IDS, FAILURE_SCHEMA, resultSchema } = await import('./_support/schemas/index.ts')
    const all = { ...Object.fromEntries(COMMAND_IDS.map((id) => [id, resultSchema(id)])), error: FAILURE_SCHEMA }
    const named = Object.entries(all).filter(([id]) => args.command === undefined || id === args.command)
    if (named.length === 0) throw commandErrors.usage({ message: 'No command has this name', hint: 'phlix help' })
    const schemas = Object.fromEntries(named)
    const shown = args.command === undefined ? schemas : schemas[args.command]
    return this.finish({ result: { schemas }, text: JSON.stringify(shown, null, 2) })
  }
}
