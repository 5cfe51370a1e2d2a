import type { AppliedUpdates, ListedCatalogue, ListedPlugin, PluginUpdate } from '../plugins/index.ts'

/**
 * A plugin of a catalogue, in the keys of existing clients; `version`, `installable` and `homepage` are additions. `repo` is what they send to
 * install it: the address of the archive.
 */
export function cataloguePluginView(
  { entry, offered, installed }: ListedPlugin,
  { isTrusted }: { isTrusted: boolean },
) {
  const { name, title, type, summary, description, author, tags, repository } = entry
  return {
    name,
    title: title === '' ? name : title,
    type,
    summary,
    description,
    repo: offered?.url ?? repository ?? '',
    author,
    tags: [...tags],
    installed: installed !== undefined,
    enabled: installed?.isEnabled === true,
    version: offered?.version ?? null,
    installable: isTrusted && offered !== undefined,
    homepage: repository,
  }
}

/** Why a catalogue cannot be read, and what it describes in another way than before. */
export function pluginCatalogueErrorsView({ url, content }: ListedCatalogue): { source: string; error: string }[] {
  if ('problem' in content) return [{ source: url, error: content.problem }]
  return content.changed.map(({ name, version }) => ({
    source: url,
    error: `the catalogue changed ${version === '' ? 'the key of' : `the archive of version ${version} of`} ${name}`,
  }))
}

/** What the catalogue of an installed plugin offers, in the keys of existing clients. */
export function pluginUpdateView({ plugin, latestVersion, offer, isCheckable, problem }: PluginUpdate) {
  return {
    name: plugin.name,
    installed_version: plugin.manifest.version,
    latest_version: latestVersion,
    update_available: offer !== undefined,
    repo: plugin.catalogue,
    checkable: isCheckable,
    error: problem,
  }
}

/** What an update of several plugins did, in the keys of existing clients; `enabled` is an addition. */
export function appliedUpdatesView({ updated, failed }: AppliedUpdates) {
  return {
    updated: updated.map(({ name, from, to, isEnabled }) => ({ name, from, to, enabled: isEnabled })),
    failed: failed.map(({ name, problem }) => ({ name, error: problem })),
  }
}
