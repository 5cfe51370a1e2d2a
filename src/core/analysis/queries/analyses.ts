import { sql } from 'slonik'
import type { Connection } from '../../platform/database/index.ts'
import type { AnalysedFile, AnalysisFeature, FeatureOutcome } from '../film/analysed-file.ts'

export type AnalysisWrite = Readonly<{
  file: Pick<AnalysedFile, 'itemId' | 'sizeBytes' | 'modifiedAtNanoseconds'>
  feature: AnalysisFeature
  result: FeatureOutcome
  fingerprint: Buffer | null
  language: string | null
  now: Date
}>

/**
 * Stores the outcome of one feature of a file. Writes nothing if the item was removed meanwhile. A failure does not replace the result of an
 * earlier analysis of the same file.
 */
export async function writeAnalysis(
  connection: Connection,
  { file, feature, result, fingerprint, language, now }: AnalysisWrite,
): Promise<void> {
  const bytes = fingerprint === null ? sql.fragment`null` : sql.binary(fingerprint)
  await connection.query(sql.unsafe`
    insert into file_analyses (media_item_id, feature, size_bytes, modified_ns, outcome, reason, fingerprint, language, analysed_at)
    select i.id, ${feature}, ${file.sizeBytes}, ${file.modifiedAtNanoseconds}::bigint, ${result.outcome}, ${result.reason},
      ${bytes}, ${language}, ${sql.timestamp(now)}
    from media_items i where i.id = ${file.itemId}
    on conflict (media_item_id, feature) do update set size_bytes = excluded.size_bytes, modified_ns = excluded.modified_ns,
      outcome = excluded.outcome, reason = excluded.reason, fingerprint = excluded.fingerprint, language = excluded.language,
      analysed_at = excluded.analysed_at
    where not (file_analyses.outcome = 'done' and excluded.outcome = 'failed'
      and file_analyses.size_bytes = excluded.size_bytes and file_analyses.modified_ns = excluded.modified_ns)`)
}
