import type { Plugin } from '../plugins/index.ts'
import { toIsoTimestamp } from '../platform/time/index.ts'

/** An installed plugin in a list. */
export function pluginView({ name, manifest, isEnabled, disabledReason, installedAt }: Plugin) {
  return {
    name,
    version: manifest.version,
    type: manifest.type,
    enabled: isEnabled,
    disabled_reason: disabledReason,
    installed_at: toIsoTimestamp(installedAt),
  }
}

/**
 * An installed plugin with its settings.
 * @param settings without secrets, as `redactedSettings` returns them
 */
export function pluginDetailView(plugin: Plugin, settings: Readonly<Record<string, unknown>>) {
  const { manifest, previous, source, archiveSha256, updatedAt } = plugin
  const { hosts, isPrivateNetworkAllowed, areUserDetailsAllowed, isDurable } = manifest.permissions
  const secrets = Object.entries(manifest.settings).filter(([, { secret }]) => secret)
  return {
    ...pluginView(plugin),
    source,
    sha256: archiveSha256,
    previous_version: previous?.manifest.version ?? null,
    min_server_version: manifest.minimumServerVersion,
    events: [...manifest.events],
    permissions: {
      hosts: [...hosts],
      private_network: isPrivateNetworkAllowed,
      user_details: areUserDetailsAllowed,
      durable: isDurable,
    },
    settings_schema: manifest.settings,
    settings,
    // Existing clients show one dot per character of the secret. Only administrators get this.
    secret_status: Object.fromEntries(secrets.map(([name]) => [name, secretStatus(plugin.settings[name])])),
    updated_at: toIsoTimestamp(updatedAt),
  }
}

function secretStatus(value: unknown): { set: boolean; length: number } {
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return { set: text !== '', length: text.length }
}
