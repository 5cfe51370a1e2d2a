import * as Flags from '@oclif/core/flags'
import { inviteView } from '../../core/views/index.ts'
import { limitFlags, readLimits } from '../_support/arguments/access-limits.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { loadLibraryNames } from '../_support/load-library-names.ts'
import { describeAccess } from '../_support/output/describe-limits.ts'
import { readPrintedPage } from '../_support/printed-page.ts'

const DAY_MILLISECONDS = 86_400_000

export default class InviteCreate extends BaseCommand {
  static override summary = 'Create an invite, with which people can register.'
  static override description =
    'The address is printed once; only a digest of its code is stored. A person who opens it can create an account, which may see what ' +
    'the limits say. An invite permits a registration in every mode of accounts.registration except closed. With --quiet ' +
    'the code alone is printed, which programs send as invite_code.'
  static override examples = [
    '<%= config.bin %> invite:create',
    '<%= config.bin %> invite:create --library Cartoons --max-rating 12',
    '<%= config.bin %> invite:create --days 30 --max-uses 5 --quiet',
  ]
  static override flags = {
    days: Flags.integer({ default: 7, min: 1, max: 365, summary: 'Validity in days.' }),
    'max-uses': Flags.integer({ default: 1, min: 1, max: 1000, summary: 'How many accounts can be made with it.' }),
    ...limitFlags,
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { flags } = await this.parse(InviteCreate)
    const { invite, code, url, remark, libraryNames } = await this.withServices(async (services) => {
      const { createInvite, inviteAddress } = await import('../../core/accounts/index.ts')
      const { EVERYTHING } = await import('../../core/access/index.ts')
      const { clock } = services
      const expiresAt = new Date(clock.now().getTime() + flags.days * DAY_MILLISECONDS)
      const access = { ...EVERYTHING, ...(await readLimits(services, flags)) }
      const made = await createInvite(services, { expiresAt, access, maxUses: flags['max-uses'] })
      const page = await readPrintedPage(services)
      return {
        ...made,
        url: inviteAddress(page.url, made.code),
        remark: page.remark,
        libraryNames: await loadLibraryNames(services),
      }
    })
    const access = describeAccess(invite.access, libraryNames)
    const sees = access === 'everything' ? '' : `\nWho registers with it sees: ${access}.`
    const text = `Invite until ${invite.expiresAt.toISOString()}, shown only now: ${url}${sees}${remark}`
    return this.finish({
      result: { invite: inviteView(invite), invite_code: code, url },
      text: this.shared.quiet ? code : text,
      isPrintedWhenQuiet: true,
    })
  }
}
