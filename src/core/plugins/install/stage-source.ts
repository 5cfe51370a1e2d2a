import type { Config } from '../../platform/config/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import { pluginErrors } from '../errors.ts'
import { parsePluginSource, readPluginSourceBytes, withoutQuery, type PluginSource } from './read-source.ts'
import { requireSpace } from './require-space.ts'
import { stagePlugin, type StagedPlugin } from './stage-plugin.ts'
import { verifyOrigin, type ArchivePin } from './verify-origin.ts'

/**
 * Reads the archive of a source, checks where it comes from, and unpacks it in a staging folder.
 * @param input.source an https address, a file address, or a path
 * @throws AppError `plugin.url.invalid_scheme`, `plugin.install.failed`, `plugin_no_space`, `outbound_…`
 */
export async function stageSource(
  services: { config: Config; outbound: Outbound },
  { source: text, pin, staging }: { source: string; pin: ArchivePin; staging: string },
  signal: AbortSignal | undefined,
): Promise<StagedPlugin> {
  const source = readPinnedSource(text, pin)
  const bytes = await readPluginSourceBytes(services, source, { signal })
  const signature =
    pin.key === undefined ? undefined : await readPluginSourceBytes(services, source, { suffix: '.sig', signal })
  verifyOrigin(bytes, pin, signature === undefined ? undefined : Buffer.from(signature).toString('utf8'))
  await requireSpace(services.config, bytes.length)
  return stagePlugin(bytes, { staging, source: withoutQuery(source), authorKey: pin.key ?? null })
}

function readPinnedSource(text: string, pin: ArchivePin): PluginSource {
  const source = parsePluginSource(text)
  if (source.kind === 'file' || pin.sha256 !== undefined || pin.key !== undefined) return source
  const message = 'A plugin from the network must be pinned by its SHA-256 or signed.'
  throw pluginErrors.plugin_install_failed({ message, hint: 'give --sha256 or --key' })
}
