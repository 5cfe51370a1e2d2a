import type { NotificationService } from '../service.ts'
import { apprise } from './apprise.ts'
import { discord } from './discord.ts'
import { mqtt } from './mqtt.ts'
import { ntfy } from './ntfy.ts'
import { pushover } from './pushover.ts'
import { slack } from './slack.ts'
import { telegram } from './telegram.ts'

export const SERVICE_NAMES = ['discord', 'slack', 'telegram', 'ntfy', 'pushover', 'apprise', 'mqtt'] as const

export type ServiceName = (typeof SERVICE_NAMES)[number]

export type ChannelSettings = Readonly<Record<string, string | undefined>>

/** The supported services. A new one needs its file, its entry here and in the check constraint of the table. */
const SERVICES: Readonly<Record<ServiceName, unknown>> = { discord, slack, telegram, ntfy, pushover, apprise, mqtt }

/** The service of a name. Its settings must have been parsed with its own schema. */
export function notificationServiceByName(name: ServiceName): NotificationService<Record<string, string | undefined>> {
  return SERVICES[name] as NotificationService<Record<string, string | undefined>>
}
