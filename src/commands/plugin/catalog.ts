import * as Flags from '@oclif/core/flags'
import type { ListedCatalogue, ListedPlugin } from '../../core/plugins/index.ts'
import { pluginCatalogueErrorsView, cataloguePluginView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import type { Output } from '../_support/output/output.ts'
import { replaceControlCharacters, renderTable, type Column } from '../_support/output/table.ts'

type Row = { catalogue: ListedCatalogue; plugin: ListedPlugin }

const COLUMNS: readonly Column<Row>[] = [
  { title: 'name', text: ({ plugin }) => plugin.entry.name },
  { title: 'version', text: ({ plugin }) => plugin.offered?.version ?? '-' },
  { title: 'installed', text: ({ plugin }) => plugin.installed?.manifest.version ?? '-' },
  { title: 'type', text: ({ plugin }) => plugin.entry.type },
  { title: 'catalogue', text: ({ catalogue }) => `${catalogue.url}${catalogue.isTrusted ? '' : ' (not trusted)'}` },
  { title: 'summary', text: ({ plugin }) => plugin.entry.summary },
]

export default class PluginCatalog extends BaseCommand {
  static override summary = 'List the plugins of the catalogues.'
  static override description =
    'Reads the index file of each catalogue now. One that cannot be read, or that changed a version, is a warning and the exit code is 3.'
  static override examples = [
    '<%= config.bin %> plugin:catalog',
    '<%= config.bin %> plugin:catalog --plain | cut -f1,2',
  ]
  static override flags = { plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.partial, EXIT.interrupted, EXIT.terminated, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(PluginCatalog)
    const { channel, catalogues } = await this.withServices(async (services, { signal }) => {
      const { listCatalogues } = await import('../../core/plugins/index.ts')
      return listCatalogues(services, signal)
    })
    const errors = catalogues.flatMap((catalogue) => pluginCatalogueErrorsView(catalogue))
    for (const { source, error } of errors) this.warn(replaceControlCharacters(`${source}: ${error}`))
    const rows = catalogues.flatMap((catalogue) =>
      'problem' in catalogue.content ? [] : catalogue.content.plugins.map((plugin) => ({ catalogue, plugin })),
    )
    return this.finish({
      result: {
        channel,
        catalogs: catalogues.map(({ url, isTrusted, content }) => ({
          source: url,
          trusted: isTrusted,
          name: 'problem' in content ? null : content.name,
          plugins:
            'problem' in content ? [] : content.plugins.map((plugin) => cataloguePluginView(plugin, { isTrusted })),
        })),
        errors,
      },
      text: describe(rows, { plain: flags.plain, hasSources: catalogues.length > 0, output: this.output }),
      exit: errors.length > 0 ? EXIT.partial : EXIT.ok,
    })
  }
}

function describe(
  rows: readonly Row[],
  { plain, hasSources, output }: { plain: boolean; hasSources: boolean; output: Output },
): string {
  if (rows.length > 0 || plain) return renderTable(COLUMNS, rows, { plain, output })
  return hasSources ? 'No plugins' : 'No catalogues; plugin:add-source adds one'
}
