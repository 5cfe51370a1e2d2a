import { itemArgument } from '../_support/arguments/item-argument.ts'
import { findProfile, profileArgument } from '../_support/arguments/profile-argument.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class ProfileExplain extends BaseCommand {
  static override summary = 'Show whether a profile sees an item, and which limits hide it.'
  static override description =
    'The limits of the account and those of the profile both apply. Without reasons the item is visible.'
  static override examples = ['<%= config.bin %> profile:explain ann Kim 3f6d2a1c-8f1e-4a55-9b2e-0a1f0f0c2b77']
  static override args = {
    user: userArgument,
    profile: profileArgument,
    item: itemArgument,
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(ProfileExplain)
    const { profile, isVisible, reasons } = await this.withServices(async (services) => {
      const { catalogueErrors } = await import('../../core/catalogue/index.ts')
      const { explainVisibility } = await import('../../core/profiles/index.ts')
      const { profile: found } = await findProfile(services, args)
      const explanation = await explainVisibility(services, { profile: found, itemId: args.item })
      if (explanation === undefined) throw catalogueErrors.media_item_not_found({ hint: 'phlix media:list' })
      return { profile: found, ...explanation }
    })
    const lines = reasons.map(({ of, message }) => `limit of the ${of}: ${message}`)
    return this.finish({
      result: { visible: isVisible, reasons },
      text: [`${profile.name} ${isVisible ? 'sees the item.' : 'does not see the item.'}`, ...lines].join('\n'),
    })
  }
}
