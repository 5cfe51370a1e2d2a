import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { userView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { limitFlags, readLimits } from '../_support/arguments/access-limits.ts'
import { playLimitFlags, readPlayLimits } from '../_support/arguments/play-limit-flags.ts'
import { loadLimitedAccount } from '../_support/load-limited-accounts.ts'
import { describeLimits } from '../_support/output/describe-limits.ts'
import { readPrintedPage } from '../_support/printed-page.ts'
import { describeGenerated, passwordFlags, readPassword } from '../_support/arguments/password-input.ts'

export default class UserCreate extends BaseCommand {
  static override summary = 'Create an account.'
  static override description =
    'Without a password a random one is generated and printed once on standard output; it is not stored in plain ' +
    'text. Names and e-mail addresses are unique without regard to case. An administrator sees everything. The output has the address of ' +
    'the sign-in page.'
  static override examples = [
    '<%= config.bin %> user:create ada --email ada@example.org --admin',
    '<%= config.bin %> user:create kim --email kim@example.org --max-rating PG --library Cartoons --schedule "daily 07:00-20:00"',
    'printf %s "$PASSWORD" | <%= config.bin %> user:create bob --email bob@example.org --password-stdin',
  ]
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: '3 to 50 characters' }),
  }
  static override flags = {
    email: Flags.string({ required: true, helpValue: 'ADDRESS', summary: 'E-mail address.' }),
    admin: Flags.boolean({ summary: 'Make it an administrator.' }),
    ...limitFlags,
    ...playLimitFlags,
    download: Flags.boolean({ allowNo: true, summary: 'Whether the account and its profiles may download.' }),
    ...passwordFlags,
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(UserCreate)
    const playLimits = await readPlayLimits(flags)
    const given = await readPassword(flags, this.shared)
    const { limited, generated, page } = await this.withServices(async (services) => {
      const { createAccount } = await import('../../core/accounts/index.ts')
      const { EVERYTHING } = await import('../../core/access/index.ts')
      const { createPasswordHashing, generatePassword } = await import('../../core/platform/credentials/index.ts')
      const password = given ?? generatePassword()
      const access = { ...EVERYTHING, ...(await readLimits(services, flags)) }
      const limits = { ...playLimits, mayDownload: flags.download }
      const input = { username: args.name, email: flags.email, password, isAdmin: flags.admin, access, limits }
      const account = await createAccount({ ...services, passwordHashing: createPasswordHashing() }, input)
      const [limited, page] = [await loadLimitedAccount(services, account), await readPrintedPage(services)]
      return { limited, generated: given === undefined ? password : undefined, page }
    })
    const { account } = limited
    const sees = describeLimits(limited)
    const done = `Created ${account.username}${sees === 'everything' ? '' : `, who sees: ${sees}`}. Sign in at ${page.url}`
    return this.finish({
      result: { user: userView(account), url: page.url, ...(generated === undefined ? {} : { generated }) },
      text: generated === undefined ? done : describeGenerated(done, generated, this.shared),
      isPrintedWhenQuiet: generated !== undefined,
    })
  }
}
