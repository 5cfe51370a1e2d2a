import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { changeSettings } from '../../platform/settings/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { pluginErrors } from '../errors.ts'
import { CHANNELS, type Channel } from './catalogue.ts'

/** The channels in words, for administrators. */
export const CHANNEL_OPTIONS: readonly { value: Channel; label: string; description: string; isAdvanced: boolean }[] = [
  { value: 'stable', label: 'Stable', description: 'Released versions.', isAdvanced: false },
  {
    value: 'dev',
    label: 'Development',
    description: 'Released versions, pre-releases, and versions that their authors still test.',
    isAdvanced: true,
  },
]

/** @throws AppError `plugin.catalog.channel.invalid`, `setting_locked` */
export async function changeChannel(
  services: { config: Config; db: Database; clock: Clock },
  channel: string,
): Promise<void> {
  if (!CHANNELS.some((known) => known === channel)) throw pluginErrors.plugin_channel_invalid()
  await changeSettings(services, { 'plugins.channel': channel })
}
