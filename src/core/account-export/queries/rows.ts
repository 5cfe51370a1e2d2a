import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'
import type { KeyType, ExportSection } from './sections.ts'

const ExportedRow = z.strictObject({ key: z.array(z.string()), text: z.string() })

/** The values of a key as texts. */
export type SectionKey = readonly string[]

type Page = { ownerId: string; after: SectionKey | null; limit: number }

const CASTS: Readonly<Record<KeyType, FragmentSqlToken>> = {
  uuid: sql.fragment`::uuid`,
  text: sql.fragment`::text`,
  timestamptz: sql.fragment`::timestamptz`,
}

/** The statement for one page: it reads on from the last key, so that a long list is read once and not once for each page. */
export function pageStatement(
  { owner, key, row, from }: ExportSection,
  { ownerId, after, limit }: Page,
): FragmentSqlToken {
  const columns = listOf(key.map(([column]) => column))
  const values = after === null ? [] : key.map(([, type], index) => sql.fragment`${after[index] ?? null}${CASTS[type]}`)
  const isNext = after === null ? sql.fragment`true` : sql.fragment`(${columns}) > (${listOf(values)})`
  const texts = listOf(key.map(([column]) => sql.fragment`(${column})::text`))
  return sql.fragment`
    select array[${texts}] as key, (${row})::text as text ${from}
    where ${owner} = ${ownerId} and ${isNext} order by ${columns} limit ${limit}`
}

/** One page of the rows of a section as JSON texts, in the order of their keys. */
export async function selectSectionPage(
  connection: Connection,
  section: ExportSection,
  page: Page,
): Promise<readonly z.infer<typeof ExportedRow>[]> {
  return connection.any(sql.type(ExportedRow)`${pageStatement(section, page)}`)
}

/** The profiles of an account, the main one first. */
export async function selectProfileIds(connection: Connection, accountId: string): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    select id from profiles where account_id = ${accountId} order by is_main desc, created_at, id`)
}

function listOf(parts: readonly FragmentSqlToken[]): FragmentSqlToken {
  return sql.fragment`${sql.join([...parts], sql.fragment`, `)}`
}
