import { pluginErrors } from '../errors.ts'
import { installPlugin, updatePlugin, type InstallInput, type InstallServices } from '../install/install-plugin.ts'
import { parsePluginSource } from '../install/read-source.ts'
import type { Plugin } from '../plugin.ts'
import { findAddressedOffer, findOffer, type Offer } from './offer.ts'
import { selectSources } from './queries.ts'

type Confirm = InstallInput['confirm']

/**
 * Installs a plugin of a trusted catalogue, disabled: the newest version of the channel.
 * @param input.name of the plugin
 * @throws AppError `plugin.install.failed`, `plugin_catalogue_failed`, and the errors of `installPlugin`
 */
export async function installFromCatalogue(
  services: InstallServices,
  { name, confirm }: { name: string; confirm: Confirm },
  signal?: AbortSignal,
): Promise<Plugin | undefined> {
  const offer = await findOffer(services, (entry) => entry.name === name, signal)
  return install(services, { offer, confirm }, signal)
}

/**
 * Installs the plugin whose offered version has an address in exactly one trusted catalogue. The caller chooses no source of code: the
 * address only selects the entry, and the archive is the one that the catalogue pins.
 * @throws AppError `plugin.url.required`, `plugin.url.invalid_scheme`, and the errors of `installFromCatalogue`
 */
export async function installByAddress(
  services: InstallServices,
  address: string | undefined,
  signal?: AbortSignal,
): Promise<Plugin> {
  if (address === undefined || address === '') throw pluginErrors.plugin_url_required()
  if (parsePluginSource(address).kind !== 'https' && !address.startsWith('file:'))
    throw pluginErrors.plugin_source_invalid()
  const offer = await findAddressedOffer(services, address, signal)
  const plugin = await install(services, { offer, confirm: async () => true }, signal)
  return plugin ?? Promise.reject(new Error('it was confirmed'))
}

async function install(
  services: InstallServices,
  { offer, confirm }: { offer: Offer | { reason: string }; confirm: Confirm },
  signal: AbortSignal | undefined,
): Promise<Plugin | undefined> {
  if ('reason' in offer) throw pluginErrors.plugin_install_failed({ message: `Not installed: ${offer.reason}.` })
  return installPlugin(services, { ...inputOf(services, offer), confirm }, signal)
}

/**
 * Replaces an installed plugin by the version that a catalogue offers.
 * @param input.plugin the installed plugin that was compared with the offer
 * @param input.isStillWanted false if the update was switched off since
 * @throws AppError `plugin_busy` if the plugin or the trust of the catalogue was changed since, and the errors of `updatePlugin`
 */
export async function updateToOffer(
  services: InstallServices,
  input: { plugin: Plugin; offer: Offer; isStillWanted?: () => Promise<boolean>; confirm: Confirm },
  signal?: AbortSignal,
): Promise<Plugin | undefined> {
  const { plugin, offer, isStillWanted, confirm } = input
  const listed = inputOf(services, offer, isStillWanted)
  return updatePlugin(services, { ...listed, name: plugin.name, basis: plugin, confirm }, signal)
}

function inputOf(
  services: InstallServices,
  { catalogue, entry, version }: Offer,
  isWanted = async (): Promise<boolean> => true,
): Omit<InstallInput, 'confirm'> {
  return {
    source: version.url,
    pin: { sha256: version.sha256 ?? undefined, key: entry.key ?? undefined },
    listing: { catalogue, name: entry.name, version: version.version },
    isStillWanted: async () => (await isTrusted(services, catalogue)) && isWanted(),
  }
}

async function isTrusted({ db }: InstallServices, catalogue: string): Promise<boolean> {
  return (await selectSources(db)).some((source) => source.isTrusted && source.url === catalogue)
}
