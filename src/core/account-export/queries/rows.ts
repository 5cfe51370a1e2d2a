import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { Section } from './sections.ts'

const ExportedRow = z.strictObject({ key: z.string(), text: z.string() })

/** One page of the rows of a section as JSON texts, in the order of their keys. */
export async function selectSectionPage(
  connection: Connection,
  section: Section,
  { accountId, after, limit }: { accountId: string; after: string | null; limit: number },
): Promise<readonly z.infer<typeof ExportedRow>[]> {
  return connection.any(sql.type(ExportedRow)`
    select s.key collate "C" as key, s.row::text as text from (${section(accountId)}) s
    where ${after}::text is null or s.key collate "C" > ${after} order by s.key collate "C" limit ${limit}`)
}
