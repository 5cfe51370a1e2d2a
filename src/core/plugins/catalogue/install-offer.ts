import { pluginErrors } from '../errors.ts'
import { installPlugin, updatePlugin, type InstallInput, type InstallServices } from '../install/install-plugin.ts'
import { readSource } from '../install/read-source.ts'
import type { Plugin } from '../plugin.ts'
import { findOffer, type Offer } from './offer.ts'

type Confirm = InstallInput['confirm']

/**
 * Installs a plugin of a trusted catalogue, disabled: the newest version of the channel.
 * @param input.name of the plugin
 * @throws AppError `plugin.install.failed`, `plugin_catalogue_failed`, and the errors of `installPlugin`
 */
export async function installListed(
  services: InstallServices,
  { name, confirm }: { name: string; confirm: Confirm },
  signal?: AbortSignal,
): Promise<Plugin | undefined> {
  return install(services, { matches: (entry) => entry.name === name, confirm }, signal)
}

/**
 * Installs the plugin for whose archive a trusted catalogue gives an address. The caller chooses no source of code: the address only names
 * the entry, and the archive is the one that the catalogue pins.
 * @throws AppError `plugin.url.required`, `plugin.url.invalid_scheme`, and the errors of `installListed`
 */
export async function installByAddress(
  services: InstallServices,
  address: string | undefined,
  signal?: AbortSignal,
): Promise<Plugin> {
  if (address === undefined || address === '') throw pluginErrors.plugin_url_required()
  if (readSource(address).kind !== 'https' && !address.startsWith('file:')) throw pluginErrors.plugin_source_invalid()
  const matches = ({ versions }: Offer['entry']): boolean => versions.some(({ url }) => url === address)
  const plugin = await install(services, { matches, confirm: async () => true }, signal)
  return plugin ?? Promise.reject(new Error('it was confirmed'))
}

async function install(
  services: InstallServices,
  { matches, confirm }: { matches: (entry: Offer['entry']) => boolean; confirm: Confirm },
  signal: AbortSignal | undefined,
): Promise<Plugin | undefined> {
  const offer = await findOffer(services, matches, signal)
  if ('reason' in offer) throw pluginErrors.plugin_install_failed({ message: `Not installed: ${offer.reason}.` })
  return installPlugin(services, { ...inputOf(offer), confirm }, signal)
}

/**
 * Replaces an installed plugin by the version that a catalogue offers.
 * @throws AppError the errors of `updatePlugin`
 */
export async function updateToOffer(
  services: InstallServices,
  { offer, confirm }: { offer: Offer; confirm: Confirm },
  signal?: AbortSignal,
): Promise<Plugin | undefined> {
  return updatePlugin(services, { ...inputOf(offer), name: offer.entry.name, confirm }, signal)
}

function inputOf({ catalogue, entry, version }: Offer): Omit<InstallInput, 'confirm'> {
  return {
    source: version.url,
    pin: { sha256: version.sha256 ?? undefined, key: entry.key ?? undefined },
    listing: { catalogue, name: entry.name, version: version.version },
  }
}
