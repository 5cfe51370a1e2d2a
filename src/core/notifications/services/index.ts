import type { Service } from '../service.ts'
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

/** The seven services (decisions 3.7). A new one: its file, its line here and in the migration's check. */
const SERVICES: Readonly<Record<ServiceName, unknown>> = { discord, slack, telegram, ntfy, pushover, apprise, mqtt }

/** A service for settings that its own schema has read. */
export function serviceOf(name: ServiceName): Service<Record<string, string | undefined>> {
  return SERVICES[name] as Service<Record<string, string | undefined>>
}
