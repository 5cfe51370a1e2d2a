import { readAccessRule } from '../access/index.ts'
import { getAccount } from '../accounts/index.ts'
import { readStreamLimits } from '../playback-limits/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { accountExportHeadView } from '../views/index.ts'
import { selectProfileIds, selectSectionPage, type SectionKey } from './queries/rows.ts'
import { EXPORT_SECTIONS, type ExportSection } from './queries/sections.ts'

const PAGE_ROWS = 500

/**
 * Everything that is stored about an account, without secrets, as the chunks of a JSON text. It is read page by page while it is sent, so
 * that a long history needs little memory, and holds no connection while the reader is slow. Concurrent changes may be missing.
 * @param services.db of a limited account: items that it may not see are left out
 * @throws AppError `account_not_found` before the first chunk
 */
export async function exportAccount(
  { db, clock }: { db: Database; clock: Clock },
  { accountId }: { accountId: string },
): Promise<AsyncGenerator<string>> {
  const account = await getAccount({ db }, { accountId })
  const access = await readAccessRule(db, account.policyId)
  const streams = await readStreamLimits({ db }, { accountId })
  const head = accountExportHeadView({ account, access, streams, exportedAt: clock.now() })
  return chunksOf(db, accountId, head)
}

async function* chunksOf(db: Database, accountId: string, head: object): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1)
  const profileIds = await selectProfileIds(db, accountId)
  for (const [name, section] of Object.entries(EXPORT_SECTIONS)) {
    yield `,\n${JSON.stringify(name)}:[`
    let separator = '\n'
    for (const ownerId of section.of === 'account' ? [accountId] : profileIds) {
      for await (const texts of pagesOf(db, section, ownerId)) {
        yield separator + texts.join(',\n')
        separator = ',\n'
      }
    }
    yield ']'
  }
  yield '}\n'
}

/** The rows of a section that belong to an owner; no page is empty. */
async function* pagesOf(db: Database, section: ExportSection, ownerId: string): AsyncGenerator<string[]> {
  let after: SectionKey | null = null
  for (;;) {
    const rows: Awaited<ReturnType<typeof selectSectionPage>> = await selectSectionPage(db, section, {
      ownerId,
      after,
      limit: PAGE_ROWS,
    })
    if (rows.length > 0) yield rows.map(({ text }) => text)
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)?.key ?? null
  }
}
