import * as Flags from '@oclif/core/flags'
import { handle } from '@oclif/core/handle'
import { fileURLToPath } from 'node:url'
import { BaseCommand } from '../../../src/commands/_support/base-command.ts'

/** A command that warns and fails by its arguments, which no command of the product does. base-command.test.ts runs this file. */
class Warning extends BaseCommand {
  static override flags = { fail: Flags.string(), partial: Flags.boolean(), query: Flags.boolean() }

  async run(): Promise<object> {
    const { flags } = await this.parse(Warning)
    this.warn('first')
    this.warn(new Error('second'))
    if (flags.query) {
      await this.withDatabase(async () => {
        throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })
      })
    }
    if (flags.fail !== undefined) throw Object.assign(new Error('it broke'), { code: flags.fail })
    return this.finish({ result: { done: true }, text: 'done', exit: flags.partial ? 3 : 0 })
  }
}

Warning.id = 'warning'

try {
  await Warning.run(process.argv.slice(2), fileURLToPath(new URL('../../../', import.meta.url)))
} catch (error) {
  await handle(error as Error)
}
